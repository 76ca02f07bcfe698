import { IconExternalLink, IconX } from '@tabler/icons-react';
import { useEffect, useRef, type ReactNode } from 'react';
import type { Citation } from '../../contract/chat.ts';
import style from './passage-panel.module.css';
import { linkAddress } from './markdown/address.ts';
import { addressAt } from './text-fragment.ts';
import { t } from './text.ts';

interface PassagePanelProps {
  citation: Citation;
  /** A link to where the passage stands in the knowledge, for those who may see that. */
  renderSourceLink?: RenderSourceLink | undefined;
  onClose: () => void;
}

export type RenderSourceLink = (citation: Citation, text: string) => ReactNode;

/** The passage beside the text; where there is no room beside it, a sheet over it. */
export function PassagePanel({ citation, renderSourceLink, onClose }: PassagePanelProps) {
  const closer = useRef<HTMLButtonElement>(null);
  useEffect(() => closer.current?.focus(), []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [onClose]);
  const place = placeOf(citation);
  const address = citation.url === null ? null : linkAddress(citation.url);
  return (
    <aside className={style['panel']} aria-label={t('chat.passage')}>
      <header className={style['header']}>
        <span className={style['number']}>{citation.number}</span>
        <h2 className={style['title']}>{citation.title}</h2>
        <button
          ref={closer}
          type="button"
          className={style['close']}
          aria-label={t('chat.close')}
          onClick={onClose}
        >
          <IconX size="1.25em" aria-hidden />
        </button>
      </header>
      {place && <p className={style['place']}>{place}</p>}
      <blockquote className={style['text']} tabIndex={0}>
        {citation.text}
      </blockquote>
      {(address || renderSourceLink) && (
        <p className={style['links']}>
          {renderSourceLink?.(citation, t('chat.openSource'))}
          {address && (
            <a
              className={style['link']}
              href={addressAt(address, citation.text)}
              target="_blank"
              rel="noopener noreferrer nofollow"
            >
              {t('chat.openPage')} <IconExternalLink size="1em" aria-hidden />
            </a>
          )}
        </p>
      )}
    </aside>
  );
}

/** Where in its document the passage stands. */
function placeOf({ headingPath, page, title }: Citation): string {
  const headings = headingPath.filter((heading) => heading !== title);
  const parts = page === null ? headings : [t('chat.page', { page }), ...headings];
  return parts.join(' › ');
}
