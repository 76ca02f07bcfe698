import { createContext, useContext, type MouseEvent } from 'react';
import { t } from '../answer-text.ts';
import type { Footnote, FootnoteMark } from './footnotes.ts';

/** The labels of a text's footnotes in the order of their numbers, and what their addresses in the page begin with. */
interface Numbered {
  labels: readonly string[];
  id: string;
}

/** Reached by context: as a text grows, a mark becomes a footnote after its block was drawn. */
export const Numbering = createContext<Numbered>({ labels: [], id: '' });

/** A mark that nothing explains, or nothing yet, is text. */
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

/** What explains nothing of the text is shown where it stands, as it is written: nothing that was said is lost. */
export function UnusedFootnote({ footnote: { label, raw } }: { footnote: Footnote }) {
  return useContext(Numbering).labels.includes(label) ? null : <p>{raw}</p>;
}

/** The page's address says where one is, so it is not changed for a place within a message. */
export function goTo(event: MouseEvent, place: HTMLElement | null): void {
  event.preventDefault();
  place?.focus();
}
