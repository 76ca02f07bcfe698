/** How long a valid credential stays trusted, so that not every request queries the database. */
const BELIEVED_MS = 3000;
const REMEMBERED_MAX = 10_000;

/**
 * Caches for a moment whom a credential belongs to. Uses a monotonic clock: setting back the system clock must not keep
 * alive what was revoked elsewhere.
 */
export class CredentialCache<T> {
  readonly #seen = new Map<string, { value: T; at: number }>();
  #forgotten = 0;

  /** Undefined is not cached. */
  async find(key: string, look: () => Promise<T | undefined>): Promise<T | undefined> {
    const at = performance.now();
    const known = this.#seen.get(key);
    if (known && at - known.at < BELIEVED_MS) return known.value;
    this.#seen.delete(key);
    const forgotten = this.#forgotten;
    const value = await look();
    // What was forgotten during the lookup may be what it found.
    if (value === undefined || forgotten !== this.#forgotten) return value;
    if (this.#seen.size >= REMEMBERED_MAX) this.#seen.clear();
    this.#seen.set(key, { value, at });
    return value;
  }

  /** Forgets every value that matches, and any lookup in progress. */
  forget(isSo: (value: T) => boolean): void {
    this.#forgotten += 1;
    for (const [key, { value }] of this.#seen) if (isSo(value)) this.#seen.delete(key);
  }

  forgetKey(key: string): void {
    this.#forgotten += 1;
    this.#seen.delete(key);
  }
}
