import { SPEECH_MAX_CHARACTERS } from '../../../contract/limits.ts';

/** An answer as it would be read aloud: without Markdown syntax, citations, code and addresses. */
export function spoken(markdown: string): string {
  return markdown
    .replace(/```[^`]*(?:```|$)/g, '')
    .replace(/!\[[^[\]\n]*\]\([^()[\n]*\)/g, '')
    .replace(/\[([^[\]\n]*)\]\([^()[\n]*\)/g, '$1')
    .replace(/\[(?:\d{1,3}\]|\^[^[\]\s]{1,100}\](?::[ \t]?)?)/g, '')
    .replace(/https?:\/\/\S+/g, '')
    .replace(/^[ \t]{0,3}(?:#{1,6}|>|[-*+])[ \t]+/gm, '')
    .replace(/[*_`~|]+/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/ ([.,;:!?])/g, '$1')
    .trim()
    .slice(0, SPEECH_MAX_CHARACTERS)
    .toWellFormed();
}
