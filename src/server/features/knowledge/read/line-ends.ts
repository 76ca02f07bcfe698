/** A hyphen or soft hyphen at the end of a line, between small letters. Where a name or a figure goes on it belongs to the word. */
const lineEnd = /(?<=\p{Ll})[-\u00ad\u2010]\n(?=\p{Ll})/gu;
const hyphened = /\p{L}+-\p{L}+/gu;
const WORD_MAX_CHARACTERS = 40;
/** After these the first part stands for a word of its own: "in- and outside". */
const joining = new Set('and or to und oder bzw sowie bis et ou y o e of en och og eller'.split(' '));

/** Words that a line's end parts are whole again. They keep their hyphen where the text writes them with it elsewhere. */
export function withWholeWords(text: string): string {
  const known = new Set<string>();
  for (const [word] of text.matchAll(hyphened)) known.add(word.toLowerCase());
  return text.replace(lineEnd, (mark, at: number) => {
    const before = /\p{L}*$/u.exec(text.slice(Math.max(0, at - WORD_MAX_CHARACTERS), at))?.[0] ?? '';
    const start = at + mark.length;
    const after = /^\p{L}*/u.exec(text.slice(start, start + WORD_MAX_CHARACTERS))?.[0] ?? '';
    if (joining.has(after)) return mark;
    return known.has(`${before}-${after}`.toLowerCase()) ? '-' : '';
  });
}
