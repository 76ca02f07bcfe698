import { addTerms, isGram, type TermCounts } from '../analyze/analyze.ts';
import { detectLanguage } from '../analyze/detect.ts';
import { guessLanguage, mostlyIn } from '../analyze/guess.ts';
import { withoutAsking } from '../analyze/without-asking.ts';
import { historyWeightOf } from './query.ts';
import type { AskedText, QuestionTerms } from './question-terms.ts';

/** Loads the language tables: for short-lived processes. */
export function readQuestions(texts: AskedText[]): QuestionTerms[] {
  return texts.map(readQuestion);
}

function readQuestion({ text, before }: AskedText): QuestionTerms {
  const language = languageOf(text) || languageOf(before ?? '');
  const rules = language || guessLanguage(text);
  const own: TermCounts = new Map();
  addTerms(own, withoutAsking(text, [rules]), rules);
  const words = [...own.keys()].filter((term) => !isGram(term)).length;
  const weight = before === null ? 0 : historyWeightOf(words);
  const all: TermCounts = new Map();
  if (before !== null && weight > 0) addTerms(all, withoutAsking(before, [rules]), rules);
  const terms = Object.fromEntries([...all.keys()].map((term) => [term, weight]));
  for (const term of own.keys()) terms[term] = 1;
  return { language, terms, words };
}

/** Empty if undetermined. */
function languageOf(text: string): string {
  return detectLanguage(text) || (mostlyIn(text) ?? '');
}
