import { Worker } from 'node:worker_threads';
import type { Said } from './thread-answer.ts';

interface ThreadBounds {
  /** The CPU time its work may take. */
  workMs: number;
  /** Includes starting it and waiting for the CPU, which on a busy machine is not the input's fault. */
  waitMs: number;
  memoryMib: number;
}

/** Includes the CPU time its work took. */
export type Outcome<Answer> = { answer: Answer; workedMs: number } | 'too-slow' | 'too-large';

/** How often to check how long a thread has worked. */
const WATCH_MS = 100;

/**
 * Runs a worker that answers with `answerFromThread` on data, within time and memory limits: foreign input can be made
 * slow to process, and nobody else should wait for it. It gets no environment variables: reading the input doesn't need
 * the server's secrets.
 */
export async function runBounded<Answer>(
  file: URL,
  data: unknown,
  { workMs, waitMs, memoryMib }: ThreadBounds,
): Promise<Outcome<Answer>> {
  const worker = new Worker(file, {
    workerData: data,
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMib },
  });
  let startMs = Number.POSITIVE_INFINITY;
  let workedMs = 0;
  const end = () => void worker.terminate();
  const ignore = () => undefined;
  const timer = setTimeout(end, waitMs);
  const watch = setInterval(() => {
    worker.cpuUsage().then(({ user, system }) => {
      workedMs = Math.max(0, (user + system) / 1000 - startMs);
      if (workedMs > workMs) end();
      // A thread that has not started yet, or is terminating, has none; on a busy machine both take a while.
    }, ignore);
  }, WATCH_MS);
  try {
    return await new Promise<Outcome<Answer>>((resolve) => {
      worker.on('message', (said: Said<Answer>) => {
        if ('startMs' in said) ({ startMs } = said);
        else resolve({ answer: said.answer, workedMs });
      });
      // A thread that runs out of memory or is terminated reports nothing.
      worker.once('error', () => resolve('too-large'));
      worker.once('exit', () => resolve('too-slow'));
    });
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    await worker.terminate();
  }
}
