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

/** How long to wait for a model. */
export interface Patience {
  /** Silence for this long ends it; anything that arrives restarts the timer. */
  silenceMs: number;
  /**
   * The limit when there are only signs of life, such as comments, pings and empty chunks; each chunk of an answer
   * restarts it.
   */
  wordlessMs: number;
}

export interface Asking
  extends
    Patience,
    Pick<LanguageModelV4CallOptions, 'prompt' | 'temperature' | 'maxOutputTokens' | 'tools' | 'toolChoice'> {
  /** The caller's. Aborting it stops the request without a failure. */
  signal: AbortSignal;
  /** The request is sent at once, but read only after this resolves. */
  mayRead?: Promise<void>;
  onText: (delta: string) => void;
}

/** What ended a model's answer early: its length, or its provider's content filter. */
export type Cut = 'length' | 'content_filter';

export interface Asked {
  /** Undefined if the model finished, or if the caller stopped it. */
  failure: ModelFailure | undefined;
  usage: LanguageModelV4Usage | undefined;
  /** The function calls it requests; none if the model did not finish. */
  calls: LanguageModelV4ToolCall[];
  cut?: Cut | undefined;
}

const stopped: Asked = { failure: undefined, usage: undefined, calls: [] };

/** Runs a model to its end, or as far as it gets; never throws. Text goes to `onText`. */
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
    // An abandoned model may still answer.
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

/** A stream that simply ends was cut off, however cleanly: every protocol gives a finish reason. */
function isWhole({ unified, raw }: LanguageModelV4FinishReason): boolean {
  if (unified === 'error' || unified === 'interrupted') return false;
  return unified !== 'other' || raw !== undefined;
}

/** A model that refuses in its own words has finished. */
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
