import { useEffect, useRef } from 'react';
import { Markdown } from '../../chat/markdown/markdown.tsx';
import { highlightText, type Span } from '../../ui/highlight-text.ts';
import { highlight } from './highlight.ts';
import style from './knowledge.module.css';

/** The start of a passage as rendered Markdown, with the matched terms highlighted. */
export function FoundText({ text, terms }: { text: string; terms: readonly string[] }) {
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!shown.current) return;
    // As named in knowledge.module.css.
    return highlightText(shown.current, 'found-terms', (whole) => termsIn(whole, terms)).remove;
  }, [terms]);
  return (
    <div ref={shown} className={style['foundText']}>
      <Markdown text={text} />
    </div>
  );
}

function termsIn(text: string, terms: readonly string[]): Span[] {
  let end = 0;
  return highlight(text, terms).flatMap(({ text: part, isMatch }) => {
    const start = end;
    end += part.length;
    return isMatch ? [{ start, end }] : [];
  });
}
