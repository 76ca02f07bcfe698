import { setTimeout as sleep } from 'node:timers/promises';
import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ToolCall,
} from '@ai-sdk/provider';
import type { ModelMessage } from 'ai';
import type { ChatStreamEvent } from '../../../contract/chat.ts';
import type { ModelSettings } from '../../../contract/chatbot.ts';
import type { ModelPrice } from '../../../contract/model.ts';
import { ANSWER_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { ask, type Asked, type Cut, type Patience } from '../../llm/ask.ts';
import { failureOf, ModelFailure } from '../../llm/model-failure.ts';
import { EXTRACTIVE_MODEL, type ModelChain, type ResolvedModel } from '../../llm/models.ts';
import { costOf, tokensOf } from '../../llm/price.ts';
import { providerOf } from '../../observe/metrics.ts';
import type { Note, Traces } from '../../observe/traces.ts';
import { hasFiles, promptOf } from './model-prompt.ts';

export interface Generation {
  /** A text in place of models is said as it is. */
  model: ModelChain | string;
  settings: ModelSettings;
  system: string;
  /** Pictures and documents of a message are parts of it, with their bytes. */
  messages: ModelMessage[];
  /** What the model may call. The built-in model calls nothing. */
  functions?: LanguageModelV4FunctionTool[];
  /** It has called enough and must answer. */
  mustAnswer?: boolean;
  /** What it called before, and what came of it. */
  steps?: LanguageModelV4Message[];
  /** What parts its words from those of the step before, and the number of this step. */
  between?: string;
  part?: number;
  signal: AbortSignal;
  /** Models are asked before, and say nothing. */
  begun: Promise<void>;
  /** Of each asking of a model. */
  span: Traces['span'];
  onDelta: (delta: string) => void;
  onPart: (event: ChatStreamEvent) => void;
  /** Of each model that failed; says nothing of what was sent and nothing that the provider said. */
  onError: (error: unknown, model: string) => void;
}

export interface Generated {
  text: string;
  /** No model came to its end with a word or a call. */
  failed: boolean;
  calls: LanguageModelV4ToolCall[];
  /** It was ended before all was said. */
  cut?: Cut | undefined;
  inputTokens: number | null;
  /** Of those read. */
  cachedTokens: number | null;
  outputTokens: number | null;
  /** What all that were asked have charged, in billionths of a US dollar; null where it is not known. */
  costNanoUsd: number | null;
  /** `performance.now()` of the first piece of text. */
  firstTokenAt: number | undefined;
  /** The one that answered, else the last that was tried; `none` when none was. */
  model: string;
  /** Those before it that did not answer, in order, and the last one as well when it failed. */
  failedModels: string[];
}

/** What there is of an answer that could not even be begun. */
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
 * Runs the models of a chain in order until one answers, as far as it comes; never throws. Once a word of one has been
 * shown, no other one is asked: an answer is of one piece.
 */
export async function generate(generation: Generation): Promise<Generated> {
  const { model, signal, begun, onDelta, onPart, between = '', part = 0 } = generation;
  const generated = nothingGenerated();
  /** One text part a step. */
  const id = String(part);
  const add = (said: string): void => {
    // What the database can't hold no model may say.
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

/** True when it answered, or was stopped by who asks. */
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
  // Some call functions that nobody has offered.
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
 * Asks a model; once more without files when it refuses them, and once more when it says that it can be asked again soon, as long as nothing
 * of an answer has been shown. Never throws.
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
    addCost(generated, price, asked);
    return asked;
  } catch (error) {
    return { failure: failureOf(error), usage: undefined, calls: [] };
  }
}

function keepTokens(generated: Generated, { usage }: Asked): void {
  const { input, cached, output } = tokensOf(usage);
  Object.assign(generated, { inputTokens: input, cachedTokens: cached, outputTokens: output });
}

/** Who fails without a word and without saying what it took charges nothing; of whoever else says nothing it is not known. */
function addCost(generated: Generated, price: ModelPrice | undefined, { usage, failure }: Asked): void {
  if (!usage && failure && generated.text === '') return;
  generated.costNanoUsd = costsOf(generated.costNanoUsd, costOf(price, tokensOf(usage)));
}

/** Together; not known where one of them is not. */
export function costsOf(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
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
