import { shortText } from '../../../contract/cut-text.ts';

const TITLE_CHARACTERS = 60;

/** A conversation without a title is named after the first line of its first message. */
export function titleFrom(text: string): string {
  return shortText(text.trim().split('\n')[0]?.trim() ?? '', TITLE_CHARACTERS);
}
