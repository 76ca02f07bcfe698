import { Marked, type Token } from 'marked';
import { footnote, footnoteMark } from './footnotes.ts';
import { blockMath, inlineMath } from './math-tokens.ts';

/** Nobody means deeper nesting than this; anything below is shown as source. */
export const MAX_DEPTH = 24;
/** A text with a longer run of nesting marks could keep the parser busy; it is shown as is. */
const HOSTILE = /(?:>\s*){40}|[[(*_~`$]{200}/;

const marked = new Marked({
  gfm: true,
  breaks: true,
  extensions: [inlineMath, blockMath, footnoteMark, footnote],
});

/** The blocks of a Markdown text; the text itself as one paragraph if it can't be parsed. */
export function parseMarkdown(source: string): Token[] {
  if (HOSTILE.test(source)) return [asText(source)];
  try {
    return marked.lexer(source);
  } catch {
    return [asText(source)];
  }
}

function asText(source: string): Token {
  return { type: 'text', raw: source, text: source };
}
