import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../../app-error.ts';
import type { Answer } from './answer.ts';
import type { ProcessMessage } from './answer-in-process.ts';
import { NICENESS } from './limits.ts';

/** A thread or process that answers one message at a time. */
export interface Host {
  send: (input: unknown) => void;
  /** Undefined if it ended without an answer; `isOutOfMemory` if that was the reason. */
  next: (settle: (answer: Answer<unknown> | undefined, isOutOfMemory: boolean) => void) => () => void;
  end: () => Promise<void>;
  /** The CPU time it has used so far; undefined if unknown. */
  processorMs: () => number | undefined;
  /** An unused one doesn't keep this process alive. */
  setUsed: (isUsed: boolean) => void;
  onEnd: (listener: () => void) => void;
}

/** For lightweight work: cheap to start, shares nothing, and has a memory limit. */
export function startThread(file: URL, memoryMib: number): Host {
  const worker = new Worker(file, {
    // No environment variables or arguments: work on untrusted files has no need for the server's secrets.
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMib, maxYoungGenerationSizeMb: 32 },
    stdout: true,
    stderr: true,
  });
  let lastError: { code?: string } | undefined;
  worker.on('error', (error: { code?: string }) => (lastError = error));
  return {
    send: (input) => worker.postMessage(input),
    next: (settle) => {
      const answered = (message: Answer<unknown>) => settle(message, false);
      const ended = () => settle(undefined, lastError?.code === 'ERR_WORKER_OUT_OF_MEMORY');
      worker.on('message', answered).on('exit', ended);
      return () => void worker.off('message', answered).off('exit', ended);
    },
    end: async () => void (await worker.terminate()),
    processorMs: () => undefined,
    setUsed: (isUsed) => (isUsed ? worker.ref() : worker.unref()),
    onEnd: (listener) => void worker.once('exit', listener),
  };
}

/** The exit code when V8 aborts because its memory is used up. */
const ABORTED = 134;

/**
 * For untrusted documents, which can be crafted to crash their reader: a thread that allocates too much at once takes
 * the whole server down with it, a process only itself. And for work with large tables: all the memory is returned in
 * the end. Errors: 503 while the system can start no process.
 */
export function startProcess(file: URL, memoryMib: number): Host {
  const child = fork(file, [], {
    env: {},
    execArgv: [`--max-old-space-size=${memoryMib}`],
    serialization: 'advanced',
    // Outside the process group that a Ctrl-C reaches: the server is what is asked to stop, and it decides what becomes
    // of its work.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
  });
  // A waiting caller learns of the end anyway; a broken pipe adds nothing.
  child.on('error', ignore);
  // One that was not started never ends either, so nobody may wait for that.
  if (child.pid === undefined)
    throw new AppError('server/unavailable', undefined, { cause: new Error('No process could be started.') });
  lower(child);
  child.stdin?.on('error', ignore);
  return {
    send: (given) => {
      const { data, ...input } = given as { data?: Uint8Array };
      const message: ProcessMessage = { input, bytes: data?.length ?? 0 };
      child.send(message, ignore);
      if (data) child.stdin?.write(data);
    },
    next: (settle) => {
      const answered = (message: unknown) => settle(message as Answer<unknown>, false);
      const ended = (code: number | null, signal: string | null) =>
        settle(undefined, code === ABORTED || signal === 'SIGABRT');
      child.on('message', answered).on('exit', ended);
      return () => void child.off('message', answered).off('exit', ended);
    },
    end: () => endOf(child),
    processorMs: () => processorMsOf(child),
    setUsed: (isUsed) => {
      const stdin = child.stdin as unknown as { ref: () => void; unref: () => void } | null;
      for (const part of [child, child.channel, stdin]) {
        if (isUsed) part?.ref();
        else part?.unref();
      }
    },
    onEnd: (listener) => void child.once('exit', listener),
  };
}

function lower({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // It has already ended, or the system doesn't permit it: then it keeps the normal priority.
  }
}

/** Linux reports it in hundredths of a second, for every program alike. */
const TICK_MS = 10;

function processorMsOf({ pid }: ChildProcess): number | undefined {
  try {
    const [, after = ''] = /^.*\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    // Fields 14 and 15 in the numbering of `man proc_pid_stat`; the name, which may contain anything, is the second.
    const [user, system] = after.split(' ').slice(11, 13).map(Number);
    return user === undefined || system === undefined ? undefined : (user + system) * TICK_MS;
  } catch {
    return undefined;
  }
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

function ignore(): void {}
