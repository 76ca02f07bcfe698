import type { Dispatcher } from 'undici';
import { AppError } from '../app-error.ts';
import { responseHeaders } from './headers.ts';

/** How much may be buffered before backpressure is applied to the sender. */
const WAITING_MAX_BYTES = 1024 * 1024;
/** How long a sender that has sent its last event has to close as well, so that its connection can be reused. */
const FAREWELL_MS = 1000;
const LAST_WORD = Buffer.from('data: [DONE]');
/** Statuses of responses without a body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

interface Options {
  maxBytes: number;
  /** Aborting it ends the request or the response. */
  signal: AbortSignal | null | undefined;
  onPiece: (() => void) | undefined;
  /** Called once when the sender of a started response has finished, or was cut off. */
  onEnd: () => void;
}

/**
 * A response as it streams in, as a web `Response`. Chunks of one packet are merged, except for the very first, which
 * someone waits for. It fails if it is cut off or longer than `maxBytes`; it ends with the `[DONE]` of an event stream,
 * whether or not the connection does. Undici's own `request` would do, but V8 retains each of its responses until the
 * next major garbage collection.
 */
export class Answer implements Dispatcher.DispatchHandler {
  /** Rejects if there is no response. */
  readonly begun: Promise<Response>;
  readonly #begin = Promise.withResolvers<Response>();
  readonly #options: Options;
  readonly #onAbort: () => void;
  #sender: Dispatcher.DispatchController | undefined;
  #reader: ReadableStreamDefaultController<Uint8Array> | undefined;
  #waiting: Buffer[] = [];
  #size = 0;
  #hasBegun = false;
  /** Nothing more is passed on. */
  #isOver = false;
  #farewell: NodeJS.Timeout | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.begun = this.#begin.promise;
    // Nobody awaits it if the request couldn't even be made.
    this.begun.catch(() => undefined);
    this.#onAbort = () => this.#cut(asError(options.signal?.reason));
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(sender: Dispatcher.DispatchController): void {
    this.#sender = sender;
    if (this.#options.signal?.aborted) sender.abort(asError(this.#options.signal.reason));
  }

  onResponseStart(_sender: Dispatcher.DispatchController, status: number, headers: Received): void {
    if (status < 200) return;
    const body = WITHOUT_BODY.has(status) ? null : this.#body();
    const response = new Response(body, { status, headers: responseHeaders(headers) });
    this.#hasBegun = true;
    this.#begin.resolve(response);
  }

  onResponseData(_sender: Dispatcher.DispatchController, piece: Buffer): void {
    if (this.#isOver) return;
    this.#options.onPiece?.();
    const isFirst = this.#size === 0;
    this.#size += piece.length;
    if (this.#size > this.#options.maxBytes) return this.#cut(tooLarge());
    if (this.#waiting.push(piece) === 1 && !isFirst) setImmediate(() => this.#handOn());
    if (isLastWord(piece)) {
      this.#finish((reader) => reader.close());
      this.#farewell = setTimeout(() => this.#sender?.abort(cutOff()), FAREWELL_MS).unref();
    } else if (isFirst) this.#handOn();
  }

  onResponseEnd(): void {
    this.#finish((reader) => reader.close());
    this.#leave();
  }

  onResponseError(_sender: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#finish((reader) => reader.error(cutOff(error)));
    this.#begin.reject(error);
    this.#leave();
  }

  #body(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (reader) => void (this.#reader = reader),
        pull: () => this.#sender?.resume(),
        cancel: () => {
          this.#isOver = true;
          this.#sender?.abort(cutOff());
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: WAITING_MAX_BYTES }),
    );
  }

  #handOn(): void {
    const [only] = this.#waiting;
    if (!only || this.#isOver || !this.#reader) return;
    this.#reader.enqueue(this.#waiting.length === 1 ? only : Buffer.concat(this.#waiting));
    this.#waiting = [];
    if ((this.#reader.desiredSize ?? 0) <= 0) this.#sender?.pause();
  }

  #finish(how: (reader: ReadableStreamDefaultController<Uint8Array>) => void): void {
    if (this.#isOver) return;
    this.#handOn();
    this.#isOver = true;
    if (this.#reader) how(this.#reader);
  }

  #cut(reason: Error): void {
    this.#finish((reader) => reader.error(reason));
    this.#begin.reject(reason);
    this.#sender?.abort(reason);
  }

  #leave(): void {
    clearTimeout(this.#farewell);
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    if (this.#hasBegun) this.#options.onEnd();
  }
}

/** Headers in undici's form. */
type Received = Parameters<typeof responseHeaders>[0];

/** Only as a separate line at the end: a text can mention it. */
function isLastWord(piece: Buffer): boolean {
  let end = piece.length;
  while (end > 0 && (piece[end - 1] === 10 || piece[end - 1] === 13)) end -= 1;
  const start = end - LAST_WORD.length;
  if (start < 0 || end === piece.length) return false;
  return piece.subarray(start, end).equals(LAST_WORD) && (start === 0 || piece[start - 1] === 10);
}

function tooLarge(): AppError {
  return new AppError('egress/failed', 'The response is too large.');
}

function cutOff(error?: unknown): AppError {
  return new AppError('egress/failed', 'The other side closed the connection.', { cause: error });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
