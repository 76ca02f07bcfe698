const TITLE_CHARACTERS = 60;

/** A conversation without a title of its own is called by the first line of its first message. */
export function titleFrom(text: string): string {
  const line = text.trim().split('\n')[0]?.trim() ?? '';
  return line.length <= TITLE_CHARACTERS ? line : `${line.slice(0, TITLE_CHARACTERS - 1).trimEnd()}…`;
}
