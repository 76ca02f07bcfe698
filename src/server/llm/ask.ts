import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { heard } from '../egress/model-fetch.ts';
import { brokenBy, failureOf, ModelFailure } from './model-failure.ts';

/** How long a model is waited for. */
export interface Patience {
  /** Nothing for so long ends it; whatever comes gives it as long again. */
  silenceMs: number;
  /** So long at most with what is only a sign of life, such as comments, pings and empty pieces; each piece of an answer gives it as long again. */
  wordlessMs: number;
}

export interface Asking
  extends
    Patience,
    Pick<LanguageModelV4CallOptions, 'prompt' | 'temperature' | 'maxOutputTokens' | 'tools' | 'toolChoice'> {
  /** Of who asks. Its abort ends the asking without a failure. */
  signal: AbortSignal;
  /** It is asked at once, and heard only then. */
  mayRead?: Promise<void>;
  onText: (delta: string) => void;
}

/** By what a model's words were ended before it had said all: by their length, or by what its provider lets nobody say. */
export type Cut = 'length' | 'content_filter';

export interface Asked {
  /** Undefined when the model came to its end, or when who asks has stopped it. */
  failure: ModelFailure | undefined;
  usage: LanguageModelV4Usage | undefined;
  /** The functions that it wants called; none of a model that did not come to its end. */
  calls: LanguageModelV4ToolCall[];
  cut?: Cut | undefined;
}

const stopped: Asked = { failure: undefined, usage: undefined, calls: [] };

/** Lets a model speak to its end, or as far as it comes; never throws. What was said is `onText`'s. */
export async function ask(model: LanguageModelV4, asking: Asking): Promise<Asked> {
  const { prompt, temperature, maxOutputTokens, tools, toolChoice, signal, mayRead } = asking;
  if (signal.aborted) return stopped;
  const abort = new AbortController();
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  const end = (reason: unknown): void => {
    abort.abort(reason);
    ended.reject(reason);
  };
  const stop = () => end(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const waiting = new Waiting(asking, end);
  heard.set(abort.signal, () => waiting.hearSign());
  try {
    const functions = tools && tools.length > 0 ? { tools, toolChoice } : {};
    const options = { prompt, temperature, maxOutputTokens, ...functions, abortSignal: abort.signal };
    const begun = Promise.resolve(model.doStream(options as LanguageModelV4CallOptions));
    // A model that is given up may still answer.
    begun.then(({ stream }) => (abort.signal.aborted ? stream.cancel() : undefined)).catch(() => undefined);
    const { stream } = await Promise.race([begun, ended.promise]);
    if (mayRead) await Promise.race([mayRead, ended.promise]);
    return await read(stream.getReader(), asking.onText, abort.signal, waiting);
  } catch (error) {
    return signal.aborted ? stopped : { ...stopped, failure: failureOf(abort.signal.reason ?? error) };
  } finally {
    waiting.end();
    signal.removeEventListener('abort', stop);
  }
}

async function read(
  reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>,
  onText: (delta: string) => void,
  signal: AbortSignal,
  waiting: Waiting,
): Promise<Asked> {
  const leave = () => void reader.cancel().catch(() => undefined);
  const calls: LanguageModelV4ToolCall[] = [];
  signal.addEventListener('abort', leave, { once: true });
  try {
    while (true) {
      const { done, value: part } = await reader.read();
      signal.throwIfAborted();
      if (done) throw interrupted();
      if (!('delta' in part) || part.delta !== '') waiting.hearPiece();
      if (part.type === 'text-delta') onText(part.delta);
      else if (part.type === 'tool-call') calls.push(part);
      else if (part.type === 'error') throw brokenBy(part.error);
      else if (part.type === 'finish') {
        const failure = isWhole(part.finishReason) ? undefined : interrupted();
        return { failure, usage: part.usage, calls: failure ? [] : calls, cut: cutOf(part.finishReason) };
      }
    }
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
  }
}

class Waiting {
  readonly #silence: NodeJS.Timeout;
  readonly #wordless: NodeJS.Timeout;

  constructor({ silenceMs, wordlessMs }: Patience, giveUp: (reason: ModelFailure) => void) {
    this.#silence = setTimeout(() => giveUp(silent()), silenceMs);
    this.#wordless = setTimeout(() => giveUp(wordless()), wordlessMs);
  }

  hearSign(): void {
    this.#silence.refresh();
  }

  hearPiece(): void {
    this.#silence.refresh();
    this.#wordless.refresh();
  }

  end(): void {
    clearTimeout(this.#silence);
    clearTimeout(this.#wordless);
  }
}

/** A stream that just ends has been cut off, however orderly: every protocol says why a model has stopped. */
function isWhole({ unified, raw }: LanguageModelV4FinishReason): boolean {
  if (unified === 'error' || unified === 'interrupted') return false;
  return unified !== 'other' || raw !== undefined;
}

/** A model that refuses in words of its own has said all. */
function cutOf({ unified, raw }: LanguageModelV4FinishReason): Cut | undefined {
  if (unified === 'length') return 'length';
  return unified === 'content-filter' && raw !== 'stop' ? 'content_filter' : undefined;
}

function silent(): ModelFailure {
  return new ModelFailure('The model was silent for too long.');
}

function wordless(): ModelFailure {
  return new ModelFailure('The provider worked too long without an answer.');
}

function interrupted(): ModelFailure {
  return new ModelFailure('The model’s answer was cut off.', { retryAfterMs: 0 });
}
