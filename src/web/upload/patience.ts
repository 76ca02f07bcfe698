import { STORAGE_OPERATION_RETRY_MS, STORAGE_UPLOAD_RETRY_MS } from '../../contract/limits.ts';

/** How long what fails is tried again (specification, section 9): a piece of a file longer than anything else. */
export class Patience {
  #failingSince: number | undefined;
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Something went well: the time starts anew. */
  progressed(): void {
    this.#failingSince = undefined;
  }

  /** Whether a failure with this status, 0 without an answer, is worth another attempt now. */
  allows(status: number, kind: 'operation' | 'upload'): boolean {
    if (!isTemporary(status)) return false;
    this.#failingSince ??= this.#now();
    const most = kind === 'upload' ? STORAGE_UPLOAD_RETRY_MS : STORAGE_OPERATION_RETRY_MS;
    return this.#now() - this.#failingSince < most;
  }
}

/** 409 and 423: another request is at it, and the next look says where it has come to. */
export function isTemporary(status: number): boolean {
  return status === 0 || status >= 500 || [408, 409, 423, 429].includes(status);
}

/** Waits before each attempt; there are more of them than the time allows. */
export const retryDelays: number[] = Array.from({ length: 80 }, (_, attempt) =>
  Math.min(500 * 2 ** attempt, 15_000),
);
