import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Answer } from './answer.ts';
import type { ProcessMessage } from './answer-in-process.ts';
import { NICENESS } from './limits.ts';

/** A thread or a process that answers one message at a time. */
export interface Host {
  send: (input: unknown) => void;
  /** Undefined when it has ended without an answer; `isOutOfMemory` when that was why. */
  next: (settle: (answer: Answer<unknown> | undefined, isOutOfMemory: boolean) => void) => () => void;
  end: () => Promise<void>;
  /** The time of the processor that it has used in its life; undefined where that is not known. */
  processorMs: () => number | undefined;
  /** An unused one does not keep this process alive. */
  setUsed: (isUsed: boolean) => void;
  onEnd: (listener: () => void) => void;
}

/** For work that takes little: cheap to start, shares nothing, and its memory has a limit. */
export function startThread(file: URL, memoryMib: number): Host {
  const worker = new Worker(file, {
    // No variables and no arguments: work on foreign files has no need of the server's secrets.
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

/** V8's way to end when its memory is used up, as it is seen from outside. */
const ABORTED = 134;

/**
 * For foreign documents, which can be made to bring down whatever reads them: a thread that asks for too much at once
 * takes the whole server with it, a process only itself. And for what holds large tables: all of it is given back in the end.
 */
export function startProcess(file: URL, memoryMib: number): Host {
  const child = fork(file, [], {
    env: {},
    execArgv: [`--max-old-space-size=${memoryMib}`],
    serialization: 'advanced',
    // Not of the group that a Ctrl-C reaches: who is asked to stop is the server, which decides what becomes of its work.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
  });
  lower(child);
  // Whoever waits learns of the end by it; a broken pipe says nothing more.
  child.on('error', ignore);
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
    // It has ended already, or the system does not let us: then it has the priority of everybody.
  }
}

/** Linux counts it in hundredths of a second, for every program alike. */
const TICK_MS = 10;

function processorMsOf({ pid }: ChildProcess): number | undefined {
  try {
    const [, after = ''] = /^.*\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    // As `man proc_pid_stat` counts them: 14 and 15; the name, which may hold anything, is the second.
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
