import { runBounded } from '../../threads/bounded-thread.ts';
import { limitConcurrency } from '../../load/concurrency-limit.ts';
import type { ReadMail } from './read-mail.ts';

const BOUNDS = { workMs: 5000, waitMs: 15_000, memoryMib: 256 };

/** A few are read at a time. */
const inTurn = limitConcurrency(3);

/**
 * A mail, read in a thread with bounds of time and memory: anybody can write one, and nobody else waits for it. Undefined for what is
 * none.
 */
export async function readInThread(raw: Uint8Array | string): Promise<ReadMail | 'too-slow' | undefined> {
  const file = new URL('read-mail.worker.ts', import.meta.url);
  const outcome = await inTurn(() => runBounded<ReadMail | undefined>(file, raw, BOUNDS));
  return typeof outcome === 'string' ? 'too-slow' : outcome.answer;
}
