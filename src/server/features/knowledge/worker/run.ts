import { Worker } from 'node:worker_threads';
import type { Answer } from './answer.ts';

export interface WorkerLimits {
  timeoutMs: number;
  memoryMib: number;
  signal?: AbortSignal | undefined;
}

/** Why a worker gave no answer, in words for the person whose file it was. */
export class WorkerError extends Error {}

/**
 * Runs one piece of work in a thread of its own, which ends with it: what it held is freed, and when it needs more than
 * its time or memory it is stopped without harm to anybody else.
 */
export async function runInWorker<I, O>(file: URL, input: I, limits: WorkerLimits): Promise<O> {
  if (limits.signal?.aborted) throw new WorkerError('The server is stopping.');
  const worker = new Worker(file, {
    // No variables and no arguments: work on foreign files has no need of the server's secrets.
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryMib, maxYoungGenerationSizeMb: 32 },
    stdout: true,
    stderr: true,
  });
  try {
    return await answerOf<O>(worker, input, limits);
  } finally {
    await worker.terminate();
  }
}

function answerOf<O>(worker: Worker, input: unknown, limits: WorkerLimits): Promise<O> {
  const { promise, resolve, reject } = Promise.withResolvers<O>();
  const stop = () => reject(new WorkerError('The server is stopping.'));
  const tooLong = () =>
    reject(new WorkerError(`It takes longer than ${limits.timeoutMs / 1000} seconds to read.`));
  const timer = setTimeout(tooLong, limits.timeoutMs);
  limits.signal?.addEventListener('abort', stop, { once: true });
  worker.once('message', (message: Answer<O>) => {
    if ('error' in message) reject(new WorkerError(message.error));
    else resolve(message.value);
  });
  worker.once('error', (error: Error & { code?: string }) => {
    const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    reject(
      outOfMemory ? new WorkerError(`It needs more than ${limits.memoryMib} MiB of memory to read.`) : error,
    );
  });
  worker.once('exit', () => reject(new WorkerError('The reader stopped without an answer.')));
  worker.postMessage(input);
  return promise.finally(() => {
    clearTimeout(timer);
    limits.signal?.removeEventListener('abort', stop);
  });
}
