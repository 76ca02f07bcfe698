import type { ErrorCode } from '../../contract/errors.ts';
import { parseUrl } from '../../contract/parse-url.ts';
import { buttonClass } from '../ui/button.tsx';
import style from './embed.module.css';
import { t } from './text.ts';

const words: Partial<Record<ErrorCode, Parameters<typeof t>[0]>> = {
  'visitor/origin-not-allowed': 'embed.notHere',
  'visitor/user-token-refused': 'embed.unproven',
  // Of everything in a visit request, the site chooses only its user token.
  'request/invalid': 'embed.unproven',
  'resource/not-found': 'embed.unknown',
  'request/rate-limited': 'embed.busy',
  'server/unavailable': 'embed.unreachable',
};

interface RefusalProps {
  code: ErrorCode;
  /** What the site has sent for the visitor meanwhile. */
  waiting: readonly string[];
  onRetry: () => void;
}

/** Why there is no chat here, and what waits for one; if the agent is for other sites only, which ones. */
export function Refusal({ code, waiting, onRetry }: RefusalProps) {
  const sites = code === 'visitor/origin-not-allowed' ? sitesOf() : [];
  return (
    <main className={style['centre']}>
      <p role="alert">{t(words[code] ?? 'embed.failed')}</p>
      {waiting.length > 0 && (
        <>
          <p>{t('embed.waiting')}</p>
          <ul className={style['waiting']}>
            {waiting.map((text, place) => (
              <li key={`${place} ${text}`} dir="auto">
                {text}
              </li>
            ))}
          </ul>
        </>
      )}
      {sites.length > 0 && (
        <>
          <p>{t('embed.sites')}</p>
          <ul>
            {sites.map((site) => (
              <li key={site}>
                <a href={site} target="_top" rel="noreferrer">
                  {parseUrl(site)?.host ?? site}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      {code !== 'visitor/origin-not-allowed' && code !== 'resource/not-found' && (
        <button type="button" className={buttonClass('plain')} onClick={onRetry}>
          {t('embed.retry')}
        </button>
      )}
    </main>
  );
}

/** What the server has written into this page. */
function sitesOf(): string[] {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="parley-sites"]');
  return (meta?.content ?? '').split(' ').filter((site) => /^https?:\/\//.test(site));
}
