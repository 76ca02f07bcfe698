import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import style from './embed.module.css';
import { tellLoader, type Place } from './place.ts';
import { t } from './text.ts';

/** Closes the panel; renders nothing if there is none to close. On phones it is the only way back to the site. */
export function CloseButton({ site }: Pick<Place, 'site'>) {
  if (site === null) return null;
  return (
    <button
      type="button"
      aria-label={t('embed.close')}
      title={t('embed.close')}
      onClick={() => tellLoader(site, { type: 'close' })}
    >
      <IconX size="1.25em" aria-hidden />
    </button>
  );
}

/** Shown instead of a chat, with the close button where a chat has it. */
export function Bare({ site, children }: Pick<Place, 'site'> & { children: ReactNode }) {
  return (
    <div className={style['frame']}>
      {site !== null && (
        <header className={style['head']}>
          <CloseButton site={site} />
        </header>
      )}
      {children}
    </div>
  );
}
