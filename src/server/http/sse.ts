import { once } from 'node:events';
import type { FastifyReply } from 'fastify';
import type { EventStream } from '../call.ts';

/** Keeps proxies from closing a stream that has nothing to say. */
const HEARTBEAT_MS = 15_000;

/** Writes the events as they come, waiting for a slow reader; the producer is told to stop when the reader has gone. */
export async function sendEvents(reply: FastifyReply, stream: EventStream): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-vercel-ai-ui-message-stream': 'v1',
  });
  const packets = new PacketWriter(raw);
  const heartbeat = setInterval(() => packets.write(': \n\n'), HEARTBEAT_MS);
  try {
    for await (const event of stream.events) {
      if (raw.destroyed) break;
      if (!packets.write(dataOf(event))) await drained(raw);
    }
  } catch (error) {
    reply.log.error({ err: error }, 'stream failed');
    packets.write(dataOf({ type: 'error', errorText: 'The answer was interrupted.' }));
  } finally {
    clearInterval(heartbeat);
    packets.write('data: [DONE]\n\n');
    packets.end();
  }
}

function dataOf(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

/** What is written in one turn of the event loop leaves in one packet, which saves a system call an event. */
class PacketWriter {
  readonly #raw: FastifyReply['raw'];
  #text = '';

  constructor(raw: FastifyReply['raw']) {
    this.#raw = raw;
  }

  /** False when the reader is slower than what is written. */
  write(text: string): boolean {
    if (this.#text === '') setImmediate(() => this.flush());
    this.#text += text;
    return !this.#raw.writableNeedDrain;
  }

  flush(): void {
    if (this.#text === '' || this.#raw.destroyed) return;
    this.#raw.write(this.#text);
    this.#text = '';
  }

  end(): void {
    this.flush();
    this.#raw.end();
  }
}

async function drained(raw: FastifyReply['raw']): Promise<void> {
  if (raw.destroyed) return;
  await Promise.race([once(raw, 'drain'), once(raw, 'close')]);
}
