import { INDEX_MEMORY_MIB, INDEX_TIMEOUT_MS } from '../limits.ts';
import { runInProcess } from '../worker/run.ts';

export interface AskedText {
  text: string;
  /** The same person's preceding question. */
  before: string | null;
}

export interface QuestionTerms {
  /** ISO 639-1; empty if undetermined. */
  language: string;
  /** Each with its weight, 0 to 1; for a question that says little on its own, including the preceding question's terms. */
  terms: Record<string, number>;
  /** How many of its own words are distinctive. */
  words: number;
}

/**
 * Questions as terms, each in its own language, like passages in the index. Runs in a child process: detecting
 * languages needs tables.
 */
export function termsOfQuestions(texts: AskedText[], signal?: AbortSignal): Promise<QuestionTerms[]> {
  return runInProcess<{ texts: AskedText[] }, QuestionTerms[]>(
    new URL('question-terms.process.ts', import.meta.url),
    { texts },
    { timeoutMs: INDEX_TIMEOUT_MS, memoryMib: INDEX_MEMORY_MIB, signal, reuse: true },
  );
}
