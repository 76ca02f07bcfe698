import { IconExternalLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Citation } from '../../contract/chat.ts';
import { claimsOn, sentencesBehind } from './cited-sentences.ts';
import { linkAddress } from './markdown/address.ts';
import { Markdown } from './markdown/markdown.tsx';
import style from './passage-panel.module.css';
import { SidePanel } from './side-panel.tsx';
import { addressAt } from './text-fragment.ts';
import { t } from './answer-text.ts';
import { useCitedHighlight } from './use-cited-highlight.ts';

interface PassagePanelProps {
  /** The text that cites the passages. */
  answer: string;
  /** Every passage the answer cites. */
  citations: readonly Citation[];
  /** The one that is open. */
  number: number;
  /** A link to the passage in the knowledge, for those who may see it. */
  renderSourceLink?: RenderSourceLink | undefined;
  onChoose: (number: number) => void;
  onClose: () => void;
}

export type RenderSourceLink = (citation: Citation, text: string) => ReactNode;

/** What an answer is based on: the requested passage, and all others by name. */
export function PassagePanel(props: PassagePanelProps) {
  const { answer, citations, number, renderSourceLink, onChoose, onClose } = props;
  const passage = useCitedHighlight(number, answer);
  const citation = citations.find((each) => each.number === number);
  if (!citation) return null;
  const place = placeOf(citation);
  const title = (
    <>
      <span className={style['number']}>{number}</span>
      <h2 className={style['title']}>{citation.title}</h2>
    </>
  );
  return (
    <SidePanel label={t('chat.passage')} title={title} onClose={onClose}>
      {place && <p className={style['place']}>{place}</p>}
      <blockquote key={number} ref={passage} className={style['text']} tabIndex={0}>
        <Markdown text={citation.text} />
      </blockquote>
      <Links answer={answer} citation={citation} renderSourceLink={renderSourceLink} />
      {citations.length > 1 && (
        <nav className={style['all']} aria-label={t('chat.allSources')}>
          <h3>{t('chat.allSources')}</h3>
          <ol>
            {citations.map((each) => (
              <li key={each.number}>
                <button
                  type="button"
                  aria-current={each.number === number}
                  onClick={() => onChoose(each.number)}
                >
                  <span className={style['number']}>{each.number}</span>
                  <span className={style['name']}>{each.title}</span>
                </button>
              </li>
            ))}
          </ol>
        </nav>
      )}
    </SidePanel>
  );
}

interface LinksProps extends Pick<PassagePanelProps, 'answer' | 'renderSourceLink'> {
  citation: Citation;
}

function Links({ answer, citation, renderSourceLink }: LinksProps) {
  const address = citation.url === null ? null : linkAddress(citation.url);
  if (!address && !renderSourceLink) return null;
  return (
    <p className={style['links']}>
      {renderSourceLink?.(citation, t('chat.openSource'))}
      {address && (
        <a
          className={style['link']}
          href={addressAt(address, `${firstCited(citation, answer)}\n${citation.text}`)}
          target="_blank"
          rel="noopener noreferrer nofollow"
        >
          {t('chat.openPage')} <IconExternalLink size="1em" aria-hidden />
        </a>
      )}
    </p>
  );
}

/** The first sentence of the passage that the answer took from it. */
function firstCited({ number, text }: Citation, answer: string): string {
  const [first] = sentencesBehind(claimsOn(number, answer), text);
  return first ? text.slice(first.start, first.end) : '';
}

/** The passage's position in its document. */
function placeOf({ headingPath, page, title }: Citation): string {
  const headings = headingPath.filter((heading) => heading !== title);
  const parts = page === null ? headings : [t('chat.page', { page }), ...headings];
  return parts.join(' › ');
}
