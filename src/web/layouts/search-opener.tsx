import { IconSearch } from '@tabler/icons-react';
import { opened } from '../commands/opened.ts';
import { shownKey } from '../commands/shortcuts.ts';
import { t } from '../messages/t.ts';
import style from './search-opener.module.css';

/** Opens what Ctrl or Command+K opens; `icon` for tight spaces. */
export function SearchOpener({ kind }: { kind: 'line' | 'icon' }) {
  const isLine = kind === 'line';
  return (
    <button
      type="button"
      className={style[kind]}
      aria-label={isLine ? undefined : t('commands.open')}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => opened.set('palette')}
    >
      <IconSearch size={isLine ? '1.15em' : '1.5em'} aria-hidden />
      {isLine && <span className={style['label']}>{t('commands.open')}</span>}
      {isLine && (
        <kbd className={style['key']} aria-hidden>
          {shownKey('Mod+K')}
        </kbd>
      )}
    </button>
  );
}
