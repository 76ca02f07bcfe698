import { Worker } from 'node:worker_threads';
import { createTurns } from '../../turns.ts';
import type { ReadMail } from './read-mail.ts';

/** What reading one may take of the processor, with starting to; at most so long on a busy machine. */
const READ_MS = 5000;
const WAIT_MS = 15_000;
const MEMORY_MIB = 256;
/** How often is looked at how long a thread has worked. */
const WATCH_MS = 100;

/** A few are read at a time. */
const inTurn = createTurns(3);

/**
 * A mail, read in a thread with bounds of time and memory: anybody can write one, and nobody else waits for it. Undefined for what is
 * none.
 */
export function readInThread(raw: Uint8Array | string): Promise<ReadMail | 'too-slow' | undefined> {
  return inTurn(() => inThread(raw));
}

async function inThread(raw: Uint8Array | string): Promise<ReadMail | 'too-slow' | undefined> {
  const worker = new Worker(new URL('read-mail.worker.ts', import.meta.url), {
    workerData: raw,
    // No variables: reading foreign mail has no need of the server's secrets.
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
  });
  const end = () => void worker.terminate();
  const ignore = () => undefined;
  const timer = setTimeout(end, WAIT_MS);
  // Its own time of the processor: how busy the machine is otherwise is no fault of the mail.
  const watch = setInterval(() => {
    worker.cpuUsage().then(({ user, system }) => void ((user + system) / 1000 > READ_MS && end()), ignore);
  }, WATCH_MS);
  try {
    return await new Promise((resolve) => {
      worker.once('message', (mail: ReadMail | undefined) => resolve(mail));
      // A thread that is out of memory or is ended says nothing.
      worker.once('error', () => resolve('too-slow'));
      worker.once('exit', () => resolve('too-slow'));
    });
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    await worker.terminate();
  }
}
