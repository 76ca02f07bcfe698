import { useContext } from 'react';
import { t } from '../answer-text.ts';
import { Blocks } from './block.tsx';
import { goTo, Numbering } from './footnote-link.tsx';
import type { Footnote } from './footnotes.ts';
import type { CitationProps } from './markdown.tsx';
import style from './markdown.module.css';

export function FootnoteList({ footnotes, ...cite }: CitationProps & { footnotes: readonly Footnote[] }) {
  const { id } = useContext(Numbering);
  return (
    <ol className={style['footnotes']} aria-label={t('chat.footnotes')} dir="auto">
      {footnotes.map(({ tokens }, index) => {
        const target = `${id}-${index + 1}`;
        return (
          <li key={index} id={target} tabIndex={-1}>
            <Blocks tokens={tokens} depth={1} {...cite} />
            <button
              type="button"
              aria-label={t('chat.footnoteBack', { number: index + 1 })}
              onClick={(event) => goTo(event, document.querySelector(`[data-footnote="${target}"]`))}
            >
              ↩
            </button>
          </li>
        );
      })}
    </ol>
  );
}
