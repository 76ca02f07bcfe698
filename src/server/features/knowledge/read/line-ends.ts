/** A hyphen or soft hyphen at a line end, between lower-case letters. Before a name or a number, it belongs to the word. */
const lineEnd = /(?<=\p{Ll})[-\u00ad\u2010]\n(?=\p{Ll})/gu;
const hyphen = /(?<=\p{L})-(?=\p{L})/gu;
const WORD_MAX_CHARACTERS = 40;
/** Before these, the first part stands for a word of its own: "in- and outside". */
const joining = new Set('and or to und oder bzw sowie bis et ou y o e of en och og eller'.split(' '));

/** Rejoins words split at line ends. They keep their hyphen if the text writes them with it elsewhere. */
export function withWholeWords(text: string): string {
  const known = new Set<string>();
  for (const { index } of text.matchAll(hyphen)) known.add(hyphened(text, index, index + 1));
  return text.replace(lineEnd, (mark, at: number) => {
    const end = at + mark.length;
    if (joining.has(lettersAfter(text, end))) return mark;
    return known.has(hyphened(text, at, end)) ? '-' : '';
  });
}

function hyphened(text: string, before: number, after: number): string {
  return `${lettersBefore(text, before)}-${lettersAfter(text, after)}`.toLowerCase();
}

function lettersBefore(text: string, at: number): string {
  return (
    text
      .slice(Math.max(0, at - WORD_MAX_CHARACTERS), at)
      .split(/\P{L}/u)
      .at(-1) ?? ''
  );
}

function lettersAfter(text: string, at: number): string {
  return text.slice(at, at + WORD_MAX_CHARACTERS).split(/\P{L}/u)[0] ?? '';
}
