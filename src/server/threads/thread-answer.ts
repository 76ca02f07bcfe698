import { parentPort, workerData } from 'node:worker_threads';

/** A bounded thread's messages: first the CPU time it took to start, then, once, its answer. */
export type Said<Answer> = { startMs: number } | { answer: Answer };

/** Processes the thread's input and answers (`bounded-thread.ts`). */
export async function answerFromThread<Data, Answer>(
  work: (data: Data) => Answer | Promise<Answer>,
): Promise<void> {
  const say = (said: Said<Answer>) => parentPort?.postMessage(said);
  const { user, system } = process.threadCpuUsage();
  say({ startMs: (user + system) / 1000 });
  say({ answer: await work(workerData as Data) });
}
