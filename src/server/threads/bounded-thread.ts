import { Worker } from 'node:worker_threads';
import type { Said } from './thread-answer.ts';

interface ThreadBounds {
  /** What its work may take of the processor. */
  workMs: number;
  /** With starting it and waiting for the processor, which on a busy machine is no fault of what is read. */
  waitMs: number;
  memoryMib: number;
}

/** With the time that its work took of the processor. */
export type Outcome<Answer> = { answer: Answer; workedMs: number } | 'too-slow' | 'too-large';

/** How often is looked at how long a thread has worked. */
const WATCH_MS = 100;

/**
 * What a worker that answers by `answerFromThread` makes of data, within bounds of time and memory: foreign writing can be made to be
 * slow, and nobody else waits for it. It has no variables: reading it has no need of the server's secrets.
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
      // A thread that has not started yet, or is ending, has none; on a busy machine both take a while.
    }, ignore);
  }, WATCH_MS);
  try {
    return await new Promise<Outcome<Answer>>((resolve) => {
      worker.on('message', (said: Said<Answer>) => {
        if ('startMs' in said) ({ startMs } = said);
        else resolve({ answer: said.answer, workedMs });
      });
      // A thread that is out of memory or is ended says nothing.
      worker.once('error', () => resolve('too-large'));
      worker.once('exit', () => resolve('too-slow'));
    });
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    await worker.terminate();
  }
}
