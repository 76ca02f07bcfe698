import { INDEX_MEMORY_MIB, INDEX_TIMEOUT_MS } from '../limits.ts';
import { runInProcess } from '../worker/run.ts';

export interface AskedText {
  text: string;
  /** What the same person asked before it. */
  before: string | null;
}

export interface QuestionTerms {
  /** ISO 639-1; empty where it cannot be told. */
  language: string;
  /** Each with its weight, 0 to 1; of a question that says little alone, also those of what was asked before it. */
  terms: Record<string, number>;
  /** How many of them are telling words of its own. */
  words: number;
}

/** Questions as terms, each in its own language, as the index has its passages. In a process: telling a language needs tables. */
export function termsOfQuestions(texts: AskedText[], signal?: AbortSignal): Promise<QuestionTerms[]> {
  return runInProcess<{ texts: AskedText[] }, QuestionTerms[]>(
    new URL('question-terms.process.ts', import.meta.url),
    { texts },
    { timeoutMs: INDEX_TIMEOUT_MS, memoryMib: INDEX_MEMORY_MIB, signal, reuse: true },
  );
}
