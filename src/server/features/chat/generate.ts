import { setTimeout as sleep } from 'node:timers/promises';
import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ToolCall,
} from '@ai-sdk/provider';
import type { ModelMessage } from 'ai';
import type { ChatStreamEvent } from '../../../contract/chat.ts';
import type { ModelSettings } from '../../../contract/chatbot.ts';
import { ANSWER_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { ask, type Asked, type Cut, type Patience } from '../../llm/ask.ts';
import { failureOf, ModelFailure } from '../../llm/model-failure.ts';
import { EXTRACTIVE_MODEL, type ModelChain, type ResolvedModel } from '../../llm/models.ts';
import { costOfCall, costsOf, tokensOf } from '../../llm/price.ts';
import { providerOf } from '../../observe/metrics.ts';
import type { Note, Traces } from '../../observe/traces.ts';
import { hasFiles, promptOf } from './model-prompt.ts';

export interface Generation {
  /** A text instead of models is used verbatim. */
  model: ModelChain | string;
  settings: ModelSettings;
  system: string;
  /** A message's pictures and documents are parts of it, including their bytes. */
  messages: ModelMessage[];
  /** The functions the model may call. The built-in model calls none. */
  functions?: LanguageModelV4FunctionTool[];
  /** It has made enough calls and must answer. */
  mustAnswer?: boolean;
  /** Its earlier calls, and their results. */
  steps?: LanguageModelV4Message[];
  /** The separator from the previous step's text, and the number of this step. */
  between?: string;
  part?: number;
  signal: AbortSignal;
  /** Models are called before it resolves, but nothing is shown. */
  begun: Promise<void>;
  /** For each model call. */
  span: Traces['span'];
  onDelta: (delta: string) => void;
  onPart: (event: ChatStreamEvent) => void;
  /** For each model that failed; reveals nothing of what was sent or what the provider said. */
  onError: (error: unknown, model: string) => void;
}

export interface Generated {
  text: string;
  /** No model finished with text or a call. */
  failed: boolean;
  calls: LanguageModelV4ToolCall[];
  /** It was cut off early. */
  cut?: Cut | undefined;
  inputTokens: number | null;
  /** Part of the input tokens. */
  cachedTokens: number | null;
  outputTokens: number | null;
  /** What all called models charged, in billionths of a US dollar; null if unknown. */
  costNanoUsd: number | null;
  /** `performance.now()` at the first piece of text. */
  firstTokenAt: number | undefined;
  /** The one that answered, or else the last one tried; `none` if none was. */
  model: string;
  /** The earlier ones that didn't answer, in order, and the last one too if it failed. */
  failedModels: string[];
}

/** The state of an answer that couldn't even be started. */
export function nothingGenerated(): Generated {
  return {
    text: '',
    failed: true,
    calls: [],
    inputTokens: null,
    cachedTokens: null,
    outputTokens: null,
    costNanoUsd: 0,
    firstTokenAt: undefined,
    model: 'none',
    failedModels: [],
  };
}

/**
 * Runs a chain's models in order until one answers, as far as it gets; never throws. Once any text of one has been
 * shown, no other is called: an answer comes from a single model.
 */
export async function generate(generation: Generation): Promise<Generated> {
  const { model, signal, begun, onDelta, onPart, between = '', part = 0 } = generation;
  const generated = nothingGenerated();
  /** One text part per step. */
  const id = String(part);
  const add = (said: string): void => {
    // No model may output what the database can't hold.
    const piece = said.replaceAll('\u0000', '');
    if (piece === '') return;
    const delta = generated.text === '' ? between + piece : piece;
    if (generated.text.length + delta.length > ANSWER_MAX_CHARACTERS) throw tooLong();
    if (generated.firstTokenAt === undefined) {
      generated.firstTokenAt = performance.now();
      onPart({ type: 'text-start', id });
    }
    generated.text += delta;
    onDelta(delta);
    onPart({ type: 'text-delta', id, delta });
  };
  if (typeof model === 'string') {
    await begun;
    if (!signal.aborted) add(model);
    generated.failed = false;
  } else {
    for (const candidate of model.models) {
      generated.failed = !(await tryModel(candidate, model.patience, generation, generated, add));
      if (!generated.failed || generated.text !== '' || signal.aborted) break;
    }
  }
  if (generated.text !== '') onPart({ type: 'text-end', id });
  return generated;
}

/** True if it answered, or was stopped by the caller. */
async function tryModel(
  resolved: ResolvedModel,
  patience: Patience,
  generation: Generation,
  generated: Generated,
  add: (delta: string) => void,
): Promise<boolean> {
  const { name, circuit } = resolved;
  const { signal, onError, mustAnswer = false } = generation;
  const fail = (failure: ModelFailure): boolean => {
    onError(failure, name);
    generated.failedModels.push(name);
    return false;
  };
  generated.model = name;
  if (!circuit.mayTry()) return fail(resting());
  const tools = name === EXTRACTIVE_MODEL ? [] : (generation.functions ?? []);
  const asked = await askModel({ resolved, patience, generation, generated, tools, add });
  if (signal.aborted) return true;
  if (!asked.failure) circuit.succeeded();
  else if (!asked.failure.isRefusal) circuit.failed();
  keepTokens(generated, asked);
  generated.cut = asked.cut;
  // Some models call functions that weren't offered.
  generated.calls = mustAnswer || tools.length === 0 ? [] : asked.calls;
  const saysNothing = generated.text.trim() === '' && generated.calls.length === 0;
  const failure = asked.failure ?? (saysNothing ? wordless() : undefined);
  return failure ? fail(failure) : true;
}

interface Asking {
  resolved: ResolvedModel;
  patience: Patience;
  generation: Generation;
  generated: Generated;
  tools: NonNullable<Generation['functions']>;
  add: (delta: string) => void;
}

/**
 * Calls a model; again without files if it rejects them, and again if it says it can be retried soon, as long as
 * nothing of an answer has been shown. Never throws.
 */
async function askModel(asking: Asking): Promise<Asked> {
  const { signal, messages } = asking.generation;
  const isSilent = () => asking.generated.text === '' && !signal.aborted;
  let asked = await askOnce(asking, true);
  if (asked.failure?.isRefusal && isSilent() && hasFiles(messages)) asked = await askOnce(asking, false);
  if (asked.failure?.retryAfterMs !== undefined && isSilent()) {
    await sleep(asked.failure.retryAfterMs, undefined, { signal }).catch(() => undefined);
    asked = await askOnce(asking, true);
  }
  return asked;
}

async function askOnce(
  { resolved: { name, model, price }, patience, generation, generated, tools, add }: Asking,
  withFiles: boolean,
): Promise<Asked> {
  const { signal, begun, settings, system, messages, steps, mustAnswer = false } = generation;
  try {
    const prompt = promptOf(system, messages, { withFiles, steps });
    const toolChoice = { type: mustAnswer ? ('none' as const) : ('auto' as const) };
    const { temperature, maxTokens: maxOutputTokens } = settings;
    const settled = { temperature, maxOutputTokens, tools, toolChoice };
    const call = { prompt, ...settled, ...patience, signal, mayRead: begun, onText: add };
    const asked = await generation.span('model', (note) => noted(ask(model, call), note), {
      provider: providerOf(name),
    });
    const cost = costOfCall(price, asked, generated.text !== '');
    generated.costNanoUsd = costsOf(generated.costNanoUsd, cost);
    return asked;
  } catch (error) {
    return { failure: failureOf(error), usage: undefined, calls: [] };
  }
}

function keepTokens(generated: Generated, { usage }: Asked): void {
  const { input, cached, output } = tokensOf(usage);
  Object.assign(generated, { inputTokens: input, cachedTokens: cached, outputTokens: output });
}

async function noted(asked: Promise<Asked>, note: Note): Promise<Asked> {
  const { failure, usage } = await asked;
  note({
    failed: failure !== undefined,
    'tokens.input': usage?.inputTokens.total ?? 0,
    'tokens.output': usage?.outputTokens.total ?? 0,
  });
  return asked;
}

function resting(): ModelFailure {
  return new ModelFailure('The provider has failed too often recently and is skipped for a while.');
}

function wordless(): ModelFailure {
  return new ModelFailure('The model returned an empty answer.', { isRefusal: true });
}

function tooLong(): ModelFailure {
  return new ModelFailure('The model wrote more than an answer can contain.', { isRefusal: true });
}
