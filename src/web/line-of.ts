import { plainText } from './chat/plain-text.ts';

/** A row of dashes under the head of a table, and the line that a block of code begins or ends with. */
const RULES = /^[ |:-]+$|^(?:`{3}|~{3}).*$/gm;

/** The words of a Markdown text for one line of a list. Its end may be cut off. */
export function lineOf(markdown: string): string {
  return plainText(markdown.replaceAll(RULES, ''));
}
