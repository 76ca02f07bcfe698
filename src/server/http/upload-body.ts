import type { IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';

/** How long the rest of a refused body is listened to, and how long its sender then has to read why. */
const READ_REST_MS = 1000;
const READ_ANSWER_MS = 1000;

/** The body of a request as the protocol's server takes it. What goes wrong there leaves the connection alone. */
export function webBody(raw: IncomingMessage): BodyInit {
  const body = new PassThrough();
  raw.once('error', (error) => body.destroy(error));
  raw.once('close', () => {
    if (!raw.complete) body.destroy(new Error('The client disconnected.'));
  });
  return Readable.toWeb(raw.pipe(body)) as unknown as BodyInit;
}

/**
 * Reads and drops what still comes of a refused body: who is answered in the middle of sending often sees a broken
 * connection and no answer. A body without an end is cut off after the answer.
 */
export async function readRest(raw: IncomingMessage, reply: FastifyReply): Promise<void> {
  if (raw.complete || raw.destroyed) return;
  raw.unpipe();
  raw.resume();
  await finished(raw, { signal: AbortSignal.timeout(READ_REST_MS), cleanup: true }).catch(() => undefined);
  if (raw.complete) return;
  reply.header('connection', 'close');
  reply.raw.once('finish', () => setTimeout(() => raw.destroy(), READ_ANSWER_MS).unref());
}
