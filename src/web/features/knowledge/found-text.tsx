import { useEffect, useRef } from 'react';
import { Markdown } from '../../chat/markdown/markdown.tsx';
import { highlight } from './highlight.ts';
import style from './knowledge.module.css';

/** As named in knowledge.module.css. */
const MARKS = 'found-terms';

/**
 * The start of a passage as rendered Markdown. The matched terms are highlighted on top of the rendering, which stays
 * unchanged; a browser without support shows it without highlights.
 */
export function FoundText({ text, terms }: { text: string; terms: readonly string[] }) {
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!shown.current || !('highlights' in CSS)) return;
    const marks = CSS.highlights.get(MARKS) ?? new Highlight();
    CSS.highlights.set(MARKS, marks);
    const ranges = rangesOf(shown.current, terms);
    for (const range of ranges) marks.add(range);
    return () => {
      for (const range of ranges) marks.delete(range);
    };
  }, [terms]);
  return (
    <div ref={shown} className={style['foundText']}>
      <Markdown text={text} />
    </div>
  );
}

/** The ranges of the terms in an element's text. */
function rangesOf(element: HTMLElement, terms: readonly string[]): Range[] {
  const ranges: Range[] = [];
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    let at = 0;
    for (const { text, isMatch } of highlight(node.nodeValue ?? '', terms)) {
      if (isMatch) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + text.length);
        ranges.push(range);
      }
      at += text.length;
    }
  }
  return ranges;
}
