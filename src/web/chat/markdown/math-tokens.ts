import type { TokenizerAndRendererExtension } from 'marked';

/** A formula in a message. */
export interface MathToken {
  type: 'math';
  raw: string;
  text: string;
  display: boolean;
}

/** Nobody means a longer formula, and searching for its end would take long. */
const MAX_CHARACTERS = 4000;
const marks = [
  { open: '$$', close: '$$', display: true },
  { open: '\\[', close: '\\]', display: true },
  { open: '\\(', close: '\\)', display: false },
  { open: '$', close: '$', display: false },
] as const;

/** The formula at the start of a text. Without a closing mark there is none: it may still be arriving. */
export function readMath(source: string): MathToken | undefined {
  const mark = marks.find(({ open }) => source.startsWith(open));
  if (!mark) return undefined;
  const { open, close, display } = mark;
  const end = source.slice(0, MAX_CHARACTERS).indexOf(close, open.length);
  if (end < 0) return undefined;
  const text = source.slice(open.length, end);
  if (text.trim() === '' || (open === '$' && !isInlineMath(text, source[end + 1]))) return undefined;
  return { type: 'math', raw: source.slice(0, end + close.length), text: text.trim(), display };
}

/** Whether dollar signs are meant as delimiters: `costs $5 and $6` contains two prices. */
function isInlineMath(text: string, after: string | undefined): boolean {
  return !/^\s|\s$|\n/.test(text) && !/\d/.test(after ?? '');
}

function startOf(source: string): number | undefined {
  const place = source.search(/\$|\\[([]/);
  return place < 0 ? undefined : place;
}

export const inlineMath: TokenizerAndRendererExtension = {
  name: 'math',
  level: 'inline',
  start: startOf,
  tokenizer: readMath,
};

/** Formulas on their own lines. */
export const blockMath: TokenizerAndRendererExtension = {
  name: 'mathBlock',
  level: 'block',
  start: (source) => {
    const place = source.search(/\n(?:\$\$|\\\[)/);
    return place < 0 ? undefined : place + 1;
  },
  tokenizer: (source) => {
    const math = readMath(source);
    if (!math?.display) return undefined;
    return /^[ \t]{0,9}(?:\n|$)/.test(source.slice(math.raw.length)) ? math : undefined;
  },
};
