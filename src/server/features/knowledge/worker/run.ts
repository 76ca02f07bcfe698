import { availableParallelism } from 'node:os';
import { limitConcurrency } from '../../../load/concurrency-limit.ts';
import type { Answer } from './answer.ts';
import { startProcess, startThread, type Host } from './host.ts';
import { IDLE_MS, STARVED_TIMES } from './limits.ts';

interface WorkerLimits {
  /** CPU time, where it is known; elsewhere wall-clock time. */
  timeoutMs: number;
  memoryMib: number;
  signal?: AbortSignal | undefined;
  /**
   * The worker may be reused for work of the same kind, which saves its startup: for work that keeps nothing of its
   * input. One that exceeded its time or memory is never reused.
   */
  reuse?: boolean;
}

/** Why a worker gave no answer, worded for the person whose file it was. */
export class WorkerError extends Error {}

/** As many at once as there are cores, at low priority, so that people being answered come first. */
const inTurn = limitConcurrency(availableParallelism());
const idle = new Map<string, Map<Host, NodeJS.Timeout>>();

/**
 * Runs one piece of lightweight work in a thread. Exceeding its time or memory stops it without harming anything else.
 * Waits until a core is available; that time doesn't count.
 */
export function runInThread<I, O>(file: URL, input: I, limits: WorkerLimits): Promise<O> {
  return run(startThread, file, input, limits);
}

/**
 * The same in a process: for untrusted documents, because a crash of the process affects nothing else, and for
 * memory-intensive work, because the memory a thread has used stays with the server after the thread has ended. Bytes
 * in `data` are passed separately.
 */
export function runInProcess<I extends object, O>(file: URL, input: I, limits: WorkerLimits): Promise<O> {
  return run(startProcess, file, input, limits);
}

async function run<O>(
  start: (file: URL, memoryMib: number) => Host,
  file: URL,
  input: unknown,
  limits: WorkerLimits,
): Promise<O> {
  const { signal, memoryMib } = limits;
  if (signal?.aborted) throw stopping();
  return inTurn(async () => {
    if (signal?.aborted) throw stopping();
    const kind = `${start.name} ${memoryMib} ${file.href}`;
    const host = (limits.reuse ? takeIdle(kind) : undefined) ?? startOf(kind, () => start(file, memoryMib));
    let isWell = false;
    try {
      const answer = await answerOf(host, input, limits);
      isWell = true;
      if ('error' in answer) throw new WorkerError(answer.error);
      return answer.value as O;
    } finally {
      if (isWell && limits.reuse) keepIdle(kind, host);
      else await host.end();
    }
  });
}

function stopping(): WorkerError {
  return new WorkerError('The server is stopping.');
}

function startOf(kind: string, start: () => Host): Host {
  const host = start();
  // One that ends while unused must not be reused.
  host.onEnd(() => {
    clearTimeout(idle.get(kind)?.get(host));
    idle.get(kind)?.delete(host);
  });
  return host;
}

function takeIdle(kind: string): Host | undefined {
  const [found] = idle.get(kind) ?? [];
  if (!found) return undefined;
  const [host, timer] = found;
  clearTimeout(timer);
  idle.get(kind)?.delete(host);
  host.setUsed(true);
  return host;
}

function keepIdle(kind: string, host: Host): void {
  const hosts = idle.get(kind) ?? new Map<Host, NodeJS.Timeout>();
  idle.set(kind, hosts);
  host.setUsed(false);
  const timer = setTimeout(() => {
    hosts.delete(host);
    void host.end();
  }, IDLE_MS);
  hosts.set(host, timer.unref());
}

async function answerOf(host: Host, input: unknown, limits: WorkerLimits): Promise<Answer<unknown>> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer<unknown>>();
  const fail = (message: string) => reject(new WorkerError(message));
  const stop = () => reject(stopping());
  const forget = host.next((answer, isOutOfMemory) => {
    if (answer) resolve(answer);
    else if (isOutOfMemory) fail(`It needs more than ${limits.memoryMib} MiB of memory to read.`);
    else fail('The reader stopped without an answer.');
  });
  const forgetTime = whenUsedUp(host, limits.timeoutMs, () =>
    fail(`It takes longer than ${Math.ceil(limits.timeoutMs / 1000)} seconds to read.`),
  );
  limits.signal?.addEventListener('abort', stop);
  try {
    host.send(input);
    return await promise;
  } finally {
    forgetTime();
    limits.signal?.removeEventListener('abort', stop);
    forget();
  }
}

/** Checking for less than this isn't worthwhile. */
const LOOK_AGAIN_MS = 100;

/** Calls `tell` when the host has used this much more time. Returns a function that cancels it. */
function whenUsedUp(host: Host, timeoutMs: number, tell: () => void): () => void {
  const since = performance.now();
  const before = host.processorMs();
  let timer = setTimeout(look, timeoutMs);
  function look(): void {
    const passed = performance.now() - since;
    const used = host.processorMs();
    const worked = before === undefined || used === undefined ? passed : used - before;
    const left = Math.min(timeoutMs - worked, STARVED_TIMES * timeoutMs - passed);
    if (left <= 0) tell();
    else timer = setTimeout(look, Math.max(left, LOOK_AGAIN_MS));
  }
  return () => clearTimeout(timer);
}
