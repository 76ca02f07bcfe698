import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { NICENESS } from './limits.ts';

export type Answer<T> = { value: T } | { error: string };

/** Makes this thread respond to each message with the result of `work`; messages come one at a time. */
export function answer<I, O>(work: (input: I) => O | Promise<O>): void {
  yieldToOthers();
  parentPort?.on('message', (input: I) => {
    void answerTo(work, input).then((message) => parentPort?.postMessage(message));
  });
}

/** The result of the work, or a message about what went wrong. */
export async function answerTo<I, O>(work: (input: I) => O | Promise<O>, input: I): Promise<Answer<O>> {
  try {
    return { value: await work(input) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** On Linux each thread has its own priority; elsewhere it is unchanged. */
function yieldToOthers(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICENESS);
  } catch {
    // Without it, imports are no slower; only concurrent chats are.
  }
}
