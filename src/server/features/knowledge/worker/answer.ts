import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { NICENESS } from './limits.ts';

export type Answer<T> = { value: T } | { error: string };

/** Makes this thread answer each message it is sent with what `work` makes of it; it is sent one at a time. */
export function answer<I, O>(work: (input: I) => O | Promise<O>): void {
  yieldToOthers();
  parentPort?.on('message', (input: I) => {
    void answerTo(work, input).then((message) => parentPort?.postMessage(message));
  });
}

/** What came of the work, or the words of what went wrong. */
export async function answerTo<I, O>(work: (input: I) => O | Promise<O>, input: I): Promise<Answer<O>> {
  try {
    return { value: await work(input) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** On Linux a thread has a priority of its own; elsewhere it stays as it is. */
function yieldToOthers(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICENESS);
  } catch {
    // Without it imports are no slower, only chats beside them.
  }
}
