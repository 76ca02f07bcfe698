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
    ...reply.getHeaders() as Record<string, string>,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-vercel-ai-ui-message-stream': 'v1',
  });
  const heartbeat = setInterval(() => raw.write(': \n\n'), HEARTBEAT_MS);
  const write = writerOf(raw);
  try {
    for await (const event of stream.events) {
      if (raw.destroyed) break;
      if (!write(`data: ${JSON.stringify(event)}\n\n`)) await drained(raw);
    }
    if (!raw.destroyed) raw.write('data: [DONE]\n\n');
  } catch (error) {
    reply.log.error({ err: error }, 'stream failed');
    raw.write(`data: ${JSON.stringify({ type: 'error', errorText: 'The answer was interrupted.' })}\n\n`);
  } finally {
    clearInterval(heartbeat);
    raw.end();
  }
}

/** What is written in one turn of the event loop leaves in one packet; measured, a packet an event doubles the CPU of an answer. */
function writerOf(raw: FastifyReply['raw']): (text: string) => boolean {
  let isCorked = false;
  return (text) => {
    if (!isCorked) {
      isCorked = true;
      raw.cork();
      setImmediate(() => {
        isCorked = false;
        raw.uncork();
      });
    }
    return raw.write(text);
  };
}

async function drained(raw: FastifyReply['raw']): Promise<void> {
  if (raw.destroyed) return;
  await Promise.race([once(raw, 'drain'), once(raw, 'close')]);
}
