import { createContext, useContext, type MouseEvent } from 'react';
import { t } from '../answer-text.ts';
import type { Footnote, FootnoteMark } from './footnotes.ts';

/** A text's footnote labels in numerical order, and the prefix of their IDs in the page. */
interface Numbered {
  labels: readonly string[];
  id: string;
}

/** Passed by context: as a text grows, a mark can become a footnote after its block was rendered. */
export const Numbering = createContext<Numbered>({ labels: [], id: '' });

/** A mark without an explanation, so far, is text. */
export function FootnoteLink({ mark }: { mark: FootnoteMark }) {
  const { labels, id } = useContext(Numbering);
  const number = labels.indexOf(mark.label) + 1;
  if (number === 0) return mark.raw;
  const target = `${id}-${number}`;
  return (
    <sup>
      <a
        href={`#${target}`}
        aria-label={t('chat.footnote', { number })}
        data-footnote={target}
        onClick={(event) => goTo(event, document.getElementById(target))}
      >
        {number}
      </a>
    </sup>
  );
}

/** A footnote that nothing refers to is shown where it is, literally: no text is lost. */
export function UnusedFootnote({ footnote: { label, raw } }: { footnote: Footnote }) {
  return useContext(Numbering).labels.includes(label) ? null : <p>{raw}</p>;
}

/** The page's address says where the reader is, so it isn't changed for a position within a message. */
export function goTo(event: MouseEvent, place: HTMLElement | null): void {
  event.preventDefault();
  place?.focus();
}
