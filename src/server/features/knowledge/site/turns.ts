import { setTimeout as sleep } from 'node:timers/promises';

interface Line {
  tail: Promise<void>;
  waiting: number;
  /** When the last request was sent, and until when the host wants none at all; milliseconds of `performance.now`. */
  lastAt: number;
  notBefore: number;
}

const LINES_KEPT = 1000;

/** Spaces out the requests to a host, whoever makes them. */
export class Turns {
  readonly #lines = new Map<string, Line>();

  /**
   * Resolves when it is the caller's turn, with the milliseconds it took. A caller that gives up leaves the queue and
   * costs the others no time.
   */
  async take(host: string, gapMs: number, signal: AbortSignal): Promise<number> {
    const began = performance.now();
    const line = this.#lineOf(host);
    const before = line.tail;
    const turn = Promise.withResolvers<void>();
    line.tail = before.then(() => turn.promise);
    line.waiting += 1;
    try {
      await unlessAborted(before, signal);
      for (;;) {
        const wait = Math.max(line.lastAt + gapMs, line.notBefore) - performance.now();
        if (wait <= 0) break;
        await pause(wait, signal);
      }
      line.lastAt = performance.now();
      return line.lastAt - began;
    } finally {
      line.waiting -= 1;
      turn.resolve();
    }
  }

  /** No turns until `ms` milliseconds have passed. */
  hold(host: string, ms: number): void {
    const line = this.#lineOf(host);
    line.notBefore = Math.max(line.notBefore, performance.now() + ms);
  }

  #lineOf(host: string): Line {
    const known = this.#lines.get(host);
    if (known) return known;
    if (this.#lines.size >= LINES_KEPT) this.#forgetIdle();
    const line = { tail: Promise.resolve(), waiting: 0, lastAt: -Infinity, notBefore: -Infinity };
    this.#lines.set(host, line);
    return line;
  }

  /** Hosts without waiting requests, once the longest delay a host can request has passed. */
  #forgetIdle(): void {
    const old = performance.now() - 120_000;
    for (const [host, { waiting, lastAt, notBefore }] of this.#lines)
      if (waiting === 0 && lastAt < old && notBefore < old) this.#lines.delete(host);
  }
}

/** Rejects with the signal's reason. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/** The result of `work`, unless the signal is aborted first; the work itself continues for others. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const end = Promise.withResolvers<never>();
  const stop = () => end.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  return Promise.race([work, end.promise]).finally(() => signal.removeEventListener('abort', stop));
}
