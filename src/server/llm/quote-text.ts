import type { Sentence } from './sentences.ts';

/** A quote is read on its own: the rest of its paragraph is added until it has this many characters. */
const ENOUGH_CHARACTERS = 200;
/** A list or table under a heading that the question names is quoted up to this length. */
const LIST_CHARACTERS = 700;
const LIST_MARK = '- ';

/** The sentence at this index with its context: under a heading that the question names, the list it is in. */
export function quotedText(sentences: Sentence[], at: number, isNamed: boolean): string {
  const first = sentences[at];
  if (!first) return '';
  const isList = isNamed && isListed(first);
  const start = isList ? startOfList(sentences, at) : at;
  const quoted: Sentence[] = [];
  let length = 0;
  for (const sentence of sentences.slice(start)) {
    const previous = quoted.at(-1);
    if (previous && !goesOn(previous, sentence, length, isList)) break;
    quoted.push(sentence);
    length += sentence.text.length;
  }
  const text = quoted.reduce((all, next, index) => all + between(quoted[index - 1], next) + next.text, '');
  return isList ? `${LIST_MARK}${text}` : text;
}

/** The first item of the list the sentence is in; or the sentence itself, if starting there would leave it out. */
function startOfList(sentences: Sentence[], at: number): number {
  const start = sentences.slice(0, at).findLastIndex(({ kind }) => kind !== sentences[at]?.kind) + 1;
  const length = sentences.slice(start, at + 1).reduce((sum, { text }) => sum + text.length, 0);
  return length <= LIST_CHARACTERS ? start : at;
}

function goesOn(previous: Sentence, next: Sentence, length: number, isList: boolean): boolean {
  if (isList) return next.kind === previous.kind && length + next.text.length <= LIST_CHARACTERS;
  if (/[:：]$/.test(previous.text)) return length + next.text.length <= LIST_CHARACTERS;
  return next.block === previous.block && length < ENOUGH_CHARACTERS;
}

function between(previous: Sentence | undefined, next: Sentence): string {
  if (!previous) return '';
  if (previous.block === next.block) return ' ';
  return isListed(next) ? `\n${LIST_MARK}` : '\n\n';
}

const isListed = ({ kind }: Sentence): boolean => kind === 'item' || kind === 'row';
