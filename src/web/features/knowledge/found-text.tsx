import { useEffect, useRef } from 'react';
import { Markdown } from '../../chat/markdown/markdown.tsx';
import { highlight } from './highlight.ts';
import style from './knowledge.module.css';

/** As knowledge.module.css names them. */
const MARKS = 'found-terms';

/**
 * The beginning of a passage as its Markdown means it. The terms by which it was found are marked over what is drawn, which stays as it
 * is; a browser that cannot do so shows it unmarked.
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

/** Where the terms stand in what an element shows. */
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
