import { runBounded } from '../../threads/bounded-thread.ts';
import { limitConcurrency } from '../../load/concurrency-limit.ts';
import type { ReadMail } from './read-mail.ts';

const BOUNDS = { workMs: 5000, waitMs: 15_000, memoryMib: 256 };

/** Only a few are parsed at a time. */
const inTurn = limitConcurrency(3);

/**
 * Parses a mail in a thread with time and memory limits: anyone can send one, and it must not hold up others. Undefined
 * if it isn't a mail.
 */
export async function readInThread(raw: Uint8Array | string): Promise<ReadMail | 'too-slow' | undefined> {
  const file = new URL('read-mail.worker.ts', import.meta.url);
  const outcome = await inTurn(() => runBounded<ReadMail | undefined>(file, raw, BOUNDS));
  return typeof outcome === 'string' ? 'too-slow' : outcome.answer;
}
