import type { LanguageModelV4 } from '@ai-sdk/provider';
import { streamText, type ModelMessage } from 'ai';
import type { ChatStreamEvent } from '../../../contract/chat.ts';
import type { ModelSettings } from '../../../contract/chatbot.ts';
import { PROVIDER_TIMEOUT_MS } from '../../../contract/limits.ts';

export interface Generation {
  /** A text in place of a model is said as it is. */
  model: LanguageModelV4 | string;
  settings: ModelSettings;
  system: string;
  messages: ModelMessage[];
  signal: AbortSignal;
  onDelta: (delta: string) => void;
  onPart: (event: ChatStreamEvent) => void;
  onError: (error: unknown) => void;
}

export interface Generated {
  text: string;
  /** The model failed, was silent for too long, or ended without a word. */
  failed: boolean;
  inputTokens: number | null;
  outputTokens: number | null;
  /** `performance.now()` of the first piece of text. */
  firstTokenAt: number | undefined;
}

/** What there is of an answer that could not even be begun. */
export function nothingGenerated(): Generated {
  return { text: '', failed: true, inputTokens: null, outputTokens: null, firstTokenAt: undefined };
}

/** One text part an answer. */
const PART_ID = '0';

/** Runs a model to its end, or as far as it comes; never throws. */
export async function generate({ model, onDelta, onPart, ...generation }: Generation): Promise<Generated> {
  const generated: Generated = { ...nothingGenerated(), failed: false };
  const add = (delta: string): void => {
    if (delta === '') return;
    if (generated.firstTokenAt === undefined) {
      generated.firstTokenAt = performance.now();
      onPart({ type: 'text-start', id: PART_ID });
    }
    generated.text += delta;
    onDelta(delta);
    onPart({ type: 'text-delta', id: PART_ID, delta });
  };
  if (typeof model === 'string') add(model);
  else await runModel(model, generation, generated, add);
  if (generated.text !== '') onPart({ type: 'text-end', id: PART_ID });
  if (generated.text.trim() === '') generated.failed = true;
  return generated;
}

async function runModel(
  model: LanguageModelV4,
  { settings, system, messages, signal, onError }: Omit<Generation, 'model' | 'onDelta' | 'onPart'>,
  generated: Generated,
  add: (delta: string) => void,
): Promise<void> {
  // A provider that falls silent is given up; each piece of text gives it as long again.
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort('timeout'), PROVIDER_TIMEOUT_MS);
  try {
    const result = streamText({
      model,
      system,
      messages,
      temperature: settings.temperature,
      maxOutputTokens: settings.maxTokens,
      maxRetries: 1,
      abortSignal: AbortSignal.any([signal, silence.signal]),
      onError: ({ error }) => onError(error),
    });
    for await (const part of result.stream) {
      timer.refresh();
      if (part.type === 'text-delta') add(part.text);
      else if (part.type === 'error' || (part.type === 'abort' && !signal.aborted)) generated.failed = true;
      else if (part.type === 'finish') {
        generated.inputTokens = part.totalUsage.inputTokens ?? null;
        generated.outputTokens = part.totalUsage.outputTokens ?? null;
        if (part.finishReason === 'error') generated.failed = true;
      }
    }
  } catch (error) {
    if (!signal.aborted) onError(error);
    generated.failed = true;
  } finally {
    clearTimeout(timer);
  }
}
