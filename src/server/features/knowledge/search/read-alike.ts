import { addTerms, isGram, type TermCounts } from '../analyze/analyze.ts';
import { guessLanguage, mostlyIn } from '../analyze/guess.ts';
import { withoutAsking } from '../analyze/without-asking.ts';
import { mayBeMisspelt, mostSimilar, RIGHT_LETTERS } from './similar.ts';

/** A question, read in the same way as the texts that may answer it. */
export interface Reading {
  /** The question without the words that only ask. */
  subject: string;
  /** Its terms. One that is in none of the texts is replaced by a similar one that is. */
  asked: string[];
  /** A short text's words as terms, each once: what a question and a sentence have in common is their shared terms. */
  termsOf: (text: string) => string[];
}

/**
 * Everything is read by the rules of one language, the question's, or if it is too short to show one, the texts': the
 * language of a single sentence is uncertain, and a word read by the rules of two languages may be two terms.
 */
export function readAlike(question: string, texts: string[]): Reading {
  const language = mostlyIn(question) ?? guessLanguage(texts.join('\n'));
  const termsOf = (text: string): string[] => {
    const counts: TermCounts = new Map();
    addTerms(counts, text, language);
    return [...counts.keys()].filter((term) => !isGram(term));
  };
  const stripped = withoutAsking(question, [language]);
  const subject = termsOf(stripped).length > 0 ? stripped : question;
  const known = new Set(texts.flatMap(termsOf));
  const asked = termsOf(subject).map((term) => (known.has(term) ? term : (likeIn(known, term) ?? term)));
  return { subject, asked: [...new Set(asked)], termsOf };
}

/** Shorter words are the beginnings and endings of unrelated ones. */
const PART_LEAST_LETTERS = 5;
/** A longer remainder makes another word. */
const ENDING_MAX_LETTERS = 3;

function likeIn(known: Set<string>, term: string): string | undefined {
  return meantBy(known, term) ?? formOf(known, term) ?? headOf(known, term);
}

function meantBy(known: Set<string>, term: string): string | undefined {
  if (!mayBeMisspelt(term)) return undefined;
  const start = term.slice(0, RIGHT_LETTERS);
  const alike = [...known].filter((each) => each.startsWith(start));
  return mostSimilar(
    term,
    alike.map((each) => ({ term: each, holding: 1 })),
  );
}

/** Stemmers leave different stems of some forms of a word. */
function formOf(known: Set<string>, term: string): string | undefined {
  return [...known].find((each) => {
    const [shorter, longer] = each.length < term.length ? [each, term] : [term, each];
    const isStem = shorter.length >= PART_LEAST_LETTERS && longer.startsWith(shorter);
    return isStem && longer.length - shorter.length <= ENDING_MAX_LETTERS;
  });
}

/** A compound's last part says what it is: late fees are fees. */
function headOf(known: Set<string>, term: string): string | undefined {
  const heads = [...known].filter((each) => each.length >= PART_LEAST_LETTERS && term.endsWith(each));
  return heads.toSorted((a, b) => b.length - a.length)[0];
}
