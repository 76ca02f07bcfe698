import { parentPort } from 'node:worker_threads';

export type Answer<T> = { value: T } | { error: string };

/** Makes this thread answer the one message it is sent with what `work` makes of it. */
export function answer<I, O>(work: (input: I) => O | Promise<O>): void {
  parentPort?.once('message', (input: I) => {
    void Promise.try(work, input).then(
      (value) => send({ value }),
      (error: unknown) => send({ error: error instanceof Error ? error.message : String(error) }),
    );
  });
}

function send(message: Answer<unknown>): void {
  parentPort?.postMessage(message);
}
