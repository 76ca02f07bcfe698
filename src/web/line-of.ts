import { plainText } from './chat/plain-text.ts';

/** The separator row below a table's header, and the first or last line of a code block. */
const RULES = /^[ |:-]+$|^(?:`{3}|~{3}).*$/gm;

/** A Markdown text's words for one line of a list. Its end may be cut off. */
export function lineOf(markdown: string): string {
  return plainText(markdown.replaceAll(RULES, ''));
}
