import type { IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';

/** How long the rest of a rejected body is read, and how long its sender then has to read the reason. */
const READ_REST_MS = 1000;
const READ_ANSWER_MS = 1000;

/** A request's body in the form the protocol library's server takes. Errors there leave the connection alone. */
export function webBody(raw: IncomingMessage): BodyInit {
  const body = new PassThrough();
  raw.once('error', (error) => body.destroy(error));
  raw.once('close', () => {
    if (!raw.complete) body.destroy(new Error('The client disconnected.'));
  });
  return Readable.toWeb(raw.pipe(body)) as unknown as BodyInit;
}

/**
 * Reads and discards the rest of a rejected body: a client answered while still sending often sees a broken connection
 * instead of the answer. An endless body is cut off after the answer.
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
