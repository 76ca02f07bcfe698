import type { LanguageModelV4 } from '@ai-sdk/provider';
import { MODEL_TEST_TIMEOUT_MS } from '../../../contract/limits.ts';
import { ask } from '../../llm/ask.ts';

export interface Trial {
  works: boolean;
  /** Worded for the person who set up the provider; nothing the provider said. */
  detail: string;
  ms: number;
}

/** Requests one short answer, once. */
export async function tryModel(model: LanguageModelV4, signal: AbortSignal): Promise<Trial> {
  const started = performance.now();
  let text = '';
  const { failure } = await ask(model, {
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Say hello in one word.' }] }],
    // Reasoning models need room to think first.
    maxOutputTokens: 200,
    silenceMs: MODEL_TEST_TIMEOUT_MS,
    wordlessMs: MODEL_TEST_TIMEOUT_MS,
    signal: AbortSignal.any([signal, AbortSignal.timeout(MODEL_TEST_TIMEOUT_MS)]),
    onText: (delta) => {
      text += delta;
    },
  });
  const ms = Math.round(performance.now() - started);
  if (failure) return { works: false, detail: failure.message, ms };
  if (text.trim() === '') return { works: false, detail: 'The model returned an empty answer.', ms };
  return { works: true, detail: 'The model answered.', ms };
}
