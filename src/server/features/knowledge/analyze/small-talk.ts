import { withPlainLetters } from './plain-letters.ts';
import { smallTalkWords } from './small-talk-words.ts';

const kinds = ['farewell', 'thanks', 'greeting'] as const;
type Kind = (typeof kinds)[number];

/** What a message of nothing else is. */
export interface SmallTalk {
  kind: Kind;
  /** ISO 639-1 code of the language whose words it consists of. */
  language: string;
}

/** Whoever writes more says something else besides. */
const MOST_CHARACTERS = 100;

interface Phrase {
  phrase: string;
  kind: Kind | undefined;
}

/** By their first letter. */
type Phrases = Map<string | undefined, Phrase[]>;

const phrasesByLanguage = Object.entries(smallTalkWords).map(([language, words]) => {
  const phrasesOf = (list: string, kind?: Kind): Phrase[] =>
    list.split(',').map((phrase) => ({ phrase: plain(phrase), kind }));
  const phrases = [...kinds.flatMap((kind) => phrasesOf(words[kind], kind)), ...phrasesOf(words.also)];
  // The longest first, so that "good day" isn't "good" and something else.
  const longestFirst = phrases.toSorted((a, b) => b.phrase.length - a.phrase.length);
  return { language, phrases: Map.groupBy(longestFirst, ({ phrase }) => phrase[0]) };
});

/**
 * Greetings, thanks and goodbyes; undefined for a message that contains anything else, or none of them. Words of several
 * languages are of one of the given ones if possible, or else English.
 */
export function smallTalkIn(text: string, languages: string[]): SmallTalk | undefined {
  const talks = readings(text).flatMap(({ language, found }) => {
    const kind = kinds.find((each) => found.includes(each));
    return kind ? [{ kind, language }] : [];
  });
  const preferred = [...languages, 'en'].flatMap(
    (language) => talks.find((talk) => talk.language === language) ?? [],
  );
  return preferred[0] ?? talks[0];
}

/** Whether a text asks for nothing: these, yes, no, fine and the like, and texts without words. */
export function isSmallTalk(text: string): boolean {
  return plain(text) === '' || readings(text).length > 0;
}

/** The languages in which the whole text is small talk, with what it is; none for a text without words. */
function readings(text: string): { language: string; found: (Kind | undefined)[] }[] {
  if (text.length > MOST_CHARACTERS) return [];
  const said = plain(text);
  if (said === '') return [];
  return phrasesByLanguage.flatMap(({ language, phrases }) => {
    const found = consumed(said, phrases);
    return found ? [{ language, found }] : [];
  });
}

/** What a text consists of; undefined if something is left. */
function consumed(said: string, phrases: Phrases): (Kind | undefined)[] | undefined {
  const found: (Kind | undefined)[] = [];
  for (let rest = said; rest !== '';) {
    const next = phrases.get(rest[0])?.find(({ phrase }) => begins(rest, phrase));
    if (!next) return undefined;
    found.push(next.kind);
    rest = rest.slice(next.phrase.length).trimStart();
  }
  return found;
}

/** In scripts without spaces, a phrase may end anywhere. */
function begins(rest: string, phrase: string): boolean {
  if (!rest.startsWith(phrase)) return false;
  const next = rest[phrase.length] ?? ' ';
  return next === ' ' || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(next);
}

/** Words alone, without accents and emojis. */
function plain(text: string): string {
  const letters = withPlainLetters(text.normalize('NFKC').toLowerCase());
  return (letters.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []).join(' ');
}
