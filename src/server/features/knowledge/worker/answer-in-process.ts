import { Worker } from 'node:worker_threads';
import { answerTo } from './answer.ts';
import { ORPHAN_CHECK_MS } from './limits.ts';

/** The bytes come separately, through standard input: there are too many to copy into a message. */
export interface ProcessMessage {
  input: object;
  bytes: number;
}

/**
 * Makes this process respond to each message with the result of `work` for it and its bytes, its `data`; messages come
 * one at a time. It ends with the process that started it, whatever it is busy with, and not before: when all processes
 * are told to stop at once, a document whose reader had obeyed would be taken for one that breaks its reader.
 */
export function answerInProcess<I extends object, O>(work: (input: I) => O | Promise<O>): void {
  const bytes = process.stdin[Symbol.asyncIterator]();
  process.on('message', ({ input, bytes: size }: ProcessMessage) => {
    void take(bytes, size)
      .then((data) => answerTo(work, { ...input, data } as I))
      .then((message) => process.send?.(message));
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, ignore);
  process.on('disconnect', () => process.exit());
  endWithParent();
}

async function take(source: AsyncIterator<Buffer>, size: number): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  for (let read = 0; read < size;) {
    const { value, done } = await source.next();
    if (done) break;
    parts.push(value);
    read += value.length;
  }
  return new Uint8Array(Buffer.concat(parts));
}

/** Uses a thread, which keeps running while a document keeps the rest of the process busy. */
function endWithParent(): void {
  const watch = `setInterval(() => {
    if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL');
  }, ${ORPHAN_CHECK_MS});`;
  new Worker(watch, { eval: true }).unref();
}

function ignore(): void {}
