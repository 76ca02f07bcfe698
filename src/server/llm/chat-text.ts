import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises';
import type {
  LanguageModelV4,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { createParser } from 'eventsource-parser';
import * as z from 'zod';
import type { Fetch } from '../egress/model-fetch.ts';

/**
 * Answers without functions from providers that use OpenAI's chat completions: the library builds the request and reads
 * rejections, and the text is read here. The library passes each chunk through six streams and a schema, which makes up
 * three quarters of the cost of an answer (ADR 56). `make` creates the library's model with the `fetch` it is given.
 */
export function withTextReadHere(
  make: (fetch: Fetch) => (id: string) => LanguageModelV4,
  fetch: Fetch,
): (id: string) => LanguageModelV4 {
  const whole = make(fetch);
  const leaving = make(async (input, init) => {
    const response = await fetch(input, init);
    if (response.body && isEventStream(response)) throw new Streaming(response.body);
    return response;
  });
  return (id) => {
    const [model, left] = [whole(id), leaving(id)];
    return {
      specificationVersion: model.specificationVersion,
      provider: model.provider,
      modelId: model.modelId,
      supportedUrls: model.supportedUrls,
      doGenerate: (options) => model.doGenerate(options),
      doStream: async (options) => {
        if (options.tools && options.tools.length > 0) return model.doStream(options);
        try {
          return await left.doStream(options);
        } catch (error) {
          if (error instanceof Streaming) return { stream: readChat(error.body) };
          throw error;
        }
      },
    };
  };
}

/**
 * Carries the stream out of the library, which rethrows what its `fetch` throws. Nothing has failed, and an `Error`
 * would capture a stack trace.
 */
class Streaming {
  readonly body: ReadableStream<Uint8Array>;

  constructor(body: ReadableStream<Uint8Array>) {
    this.body = body;
  }
}

function isEventStream({ ok, headers }: Response): boolean {
  return ok && /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
}

/** Text, or, at some servers, parts that contain text or the model's reasoning. */
const Content = z.union([z.string(), z.array(z.object({ type: z.string(), text: z.unknown().optional() }))]);

/** The fields read from an event; anything else that is not empty, such as reasoning, only shows that the model is at work. */
const Chunk = z.object({
  error: z.unknown().optional(),
  choices: z
    .array(
      z.object({
        index: z.number().nullish(),
        delta: z
          .looseObject({ content: Content.nullish(), refusal: z.string().nullish().catch(undefined) })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .optional(),
  usage: z
    .object({
      prompt_tokens: z.number().nullish(),
      completion_tokens: z.number().nullish(),
      prompt_tokens_details: z
        .object({ cached_tokens: z.number().nullish(), cache_write_tokens: z.number().nullish() })
        .nullish(),
      completion_tokens_details: z.object({ reasoning_tokens: z.number().nullish() }).nullish(),
    })
    .nullish()
    // Invalid usage doesn't invalidate the text.
    .catch(undefined),
});
type Usage = NonNullable<z.output<typeof Chunk>['usage']>;

/**
 * How long a server that has named its finish reason has to send the usage, and its `[DONE]` or the end of the
 * connection: some send neither.
 */
const FAREWELL_MS = 1000;

/** Text that arrived together is one part. An error instead of a chunk is the last part. */
function readChat(body: ReadableStream<Uint8Array>): ReadableStream<LanguageModelV4StreamPart> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const answer = new ChatAnswer();
  const parser = createParser({ onEvent: ({ data }) => answer.hear(data) });
  /** Resolves when the first words have been passed on to whoever waits for them. */
  let passedOn: Promise<void> | undefined;
  /** The parts in the next chunk of the connection; there may be none yet. */
  const read = async (): Promise<{ parts: LanguageModelV4StreamPart[]; isLast: boolean }> => {
    await passedOn;
    const { done, value } = await (answer.isFinished ? readFarewell(reader) : reader.read());
    parser.feed(decoder.decode(value, { stream: !done }));
    const said = answer.take();
    const end = answer.end(done);
    return { parts: end ? [...said, end] : said, isLast: end !== undefined };
  };
  const pull = async (
    controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>,
  ): Promise<void> => {
    let { parts, isLast } = await read();
    while (parts.length === 0) ({ parts, isLast } = await read());
    for (const part of parts) controller.enqueue(part);
    passedOn ??= nextRound();
    if (!isLast) return;
    controller.close();
    void reader.cancel().catch(() => undefined);
  };
  // No read-ahead, and a round of the event loop after the first words: they leave the server before those right behind
  // them are parsed.
  return new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 });
}

/** The next chunk, or the end if none comes in time. */
async function readFarewell(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  const over = new AbortController();
  const end = { done: true, value: undefined } as const;
  const late = sleep(FAREWELL_MS, end, { signal: over.signal }).catch(() => end);
  return Promise.race([reader.read(), late]).finally(() => over.abort());
}

/** The library's part for reasoning. */
const AT_WORK: LanguageModelV4StreamPart = { type: 'reasoning-start', id: '1' };

class ChatAnswer {
  #isOver = false;
  #failure: unknown;
  #words = '';
  #isAtWork = false;
  #hasRefused = false;
  #finishReason: string | undefined;
  #usage: Usage | undefined;

  /** The server has said why the answer ends. */
  get isFinished(): boolean {
    return this.#finishReason !== undefined;
  }

  hear(data: string): void {
    if (this.#isOver || this.#failure !== undefined) return;
    if (data === '[DONE]') {
      this.#isOver = true;
      return;
    }
    try {
      this.#take(Chunk.parse(JSON.parse(data)));
    } catch (error) {
      this.#failure = error;
    }
  }

  #take(chunk: z.output<typeof Chunk>): void {
    // Some servers include the field in every event.
    if (chunk.error !== undefined && chunk.error !== null)
      throw new Error('The stream contained an error.', { cause: chunk.error });
    if (!chunk.choices) throw new Error('An event had no choices.');
    // Only one choice was requested; if a server sends more, only the first is read.
    const choice = chunk.choices.find(({ index }) => !index);
    const { content, refusal } = choice?.delta ?? {};
    this.#words += wordsOf(content ?? '') + (refusal ?? '');
    this.#isAtWork ||= this.#words === '' && isSome(choice?.delta ?? {});
    this.#hasRefused ||= Boolean(refusal);
    this.#finishReason = choice?.finish_reason ?? this.#finishReason;
    this.#usage = chunk.usage ?? this.#usage;
  }

  /** The text since the last call, or a sign that the model was at work without any. */
  take(): LanguageModelV4StreamPart[] {
    const [delta, isAtWork] = [this.#words, this.#isAtWork];
    this.#words = '';
    this.#isAtWork = false;
    if (delta !== '') return [{ type: 'text-delta', id: '0', delta }];
    return isAtWork ? [AT_WORK] : [];
  }

  /** The last part, once it is known; with `isCut`, nothing more comes. */
  end(isCut: boolean): LanguageModelV4StreamPart | undefined {
    if (this.#failure !== undefined) return { type: 'error', error: this.#failure };
    if (!isCut && !this.#isOver) return undefined;
    const raw = this.#finishReason;
    const unified = raw === undefined ? 'interrupted' : unifiedOf(raw, this.#hasRefused);
    return { type: 'finish', finishReason: { unified, raw }, usage: usageOf(this.#usage) };
  }
}

/** Many servers start with the role, and some keep the connection alive with empty chunks. */
function isSome(delta: Record<string, unknown>): boolean {
  return Object.entries(delta).some(([name, value]) => name !== 'role' && !isEmpty(value));
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

function wordsOf(content: z.output<typeof Content>): string {
  if (typeof content === 'string') return content;
  return content.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')).join('');
}

function unifiedOf(raw: string, hasRefused: boolean): LanguageModelV4FinishReason['unified'] {
  if (raw === 'stop') return hasRefused ? 'content-filter' : 'stop';
  if (raw === 'length') return 'length';
  if (raw === 'content_filter') return 'content-filter';
  return raw === 'tool_calls' || raw === 'function_call' ? 'tool-calls' : 'other';
}

/** Counted as the library does, so that a price means the same in both. */
function usageOf(usage: Usage | undefined) {
  const read = usage && (usage.prompt_tokens ?? 0);
  const said = usage && (usage.completion_tokens ?? 0);
  const cacheRead = usage && (usage.prompt_tokens_details?.cached_tokens ?? 0);
  const cacheWrite = usage?.prompt_tokens_details?.cache_write_tokens ?? undefined;
  const reasoning = usage && (usage.completion_tokens_details?.reasoning_tokens ?? 0);
  return {
    inputTokens: {
      total: read,
      noCache: read === undefined ? undefined : read - (cacheRead ?? 0) - (cacheWrite ?? 0),
      cacheRead,
      cacheWrite,
    },
    outputTokens: {
      total: said,
      text: said === undefined ? undefined : Math.max(0, said - (reasoning ?? 0)),
      reasoning,
    },
  };
}
