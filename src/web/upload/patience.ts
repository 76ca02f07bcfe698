import { STORAGE_OPERATION_RETRY_MS, STORAGE_UPLOAD_RETRY_MS } from '../../contract/limits.ts';

/** How long to retry failures (specification, section 9): longer for a chunk of a file than for anything else. */
export class Patience {
  #failingSince: number | undefined;
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Call after a success: restarts the time. */
  progressed(): void {
    this.#failingSince = undefined;
  }

  /** Whether a failure with this status, 0 without a response, is worth another attempt now. */
  allows(status: number, kind: 'operation' | 'upload'): boolean {
    if (!isTemporary(status)) return false;
    this.#failingSince ??= this.#now();
    const most = kind === 'upload' ? STORAGE_UPLOAD_RETRY_MS : STORAGE_OPERATION_RETRY_MS;
    return this.#now() - this.#failingSince < most;
  }
}

/** 409 and 423: another request is working on it, and the next check shows its progress. */
export function isTemporary(status: number): boolean {
  return status === 0 || status >= 500 || [408, 409, 423, 429].includes(status);
}

/** Delays before each attempt; more of them than the time allows. */
export const retryDelays: number[] = Array.from({ length: 80 }, (_, attempt) =>
  Math.min(500 * 2 ** attempt, 15_000),
);
