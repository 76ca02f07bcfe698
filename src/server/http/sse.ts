import { once } from 'node:events';
import type { FastifyReply } from 'fastify';
import type { EventStream } from '../call.ts';

/** Keeps proxies from closing an idle stream. */
const HEARTBEAT_MS = 15_000;

/** The protocol of the contract's streaming calls. */
const uiMessageStream = { 'x-vercel-ai-ui-message-stream': 'v1' };

/**
 * Writes events as they come, with backpressure for a slow reader (`slow-readers.ts`); the producer is told to stop
 * when the reader has disconnected.
 */
export async function sendEvents(
  reply: FastifyReply,
  stream: EventStream,
  headers: Record<string, string> = uiMessageStream,
): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    ...headers,
  });
  const packets = new PacketWriter(raw);
  const heartbeat = setInterval(() => packets.write(': \n\n'), HEARTBEAT_MS);
  try {
    for await (const event of stream.events) {
      if (raw.destroyed) break;
      if (!packets.write(dataOf(event), stream.isWord(event))) await drained(raw);
    }
  } catch (error) {
    reply.log.error({ err: error }, 'stream failed');
    packets.write(dataOf({ type: 'error', errorText: 'The answer was interrupted.' }));
  } finally {
    clearInterval(heartbeat);
    packets.end('data: [DONE]\n\n');
  }
}

function dataOf(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

/** Nobody notices that chunks this close arrive together; each separate packet costs a system call. */
const TOGETHER_MS = 15;

/**
 * Batches what is written with whatever follows in the next moment. Only the first word of an answer, which the reader
 * is waiting for, is sent at once, with everything before it, and before the words that came with it are processed.
 */
class PacketWriter {
  readonly #raw: FastifyReply['raw'];
  #text = '';
  #hasWord = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(raw: FastifyReply['raw']) {
    this.#raw = raw;
  }

  /** False if the reader is slower than the writer. */
  write(text: string, isWord = false): boolean {
    this.#text += text;
    if (isWord && !this.#hasWord) this.#flushFirstWord();
    else this.#timer ??= setTimeout(() => this.#flush(), TOGETHER_MS);
    return !this.#raw.writableNeedDrain;
  }

  /** The last words and the end of the answer are sent together. */
  end(text: string): void {
    clearTimeout(this.#timer);
    if (!this.#raw.destroyed) this.#raw.end(this.#text + text);
  }

  #flushFirstWord(): void {
    this.#hasWord = true;
    this.#flush();
    // Node's HTTP would send it only after everything else that is ready has run.
    this.#raw.socket?.uncork();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#text === '' || this.#raw.destroyed) return;
    this.#raw.write(this.#text);
    this.#text = '';
  }
}

async function drained(raw: FastifyReply['raw']): Promise<void> {
  if (raw.destroyed) return;
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(raw, 'drain', { signal }), once(raw, 'close', { signal })]).finally(() =>
    waiting.abort(),
  );
}
