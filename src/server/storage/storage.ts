/**
 * Where the bytes of uploaded files are kept. A key is made by the caller from an id and never from what a person
 * sent: 8 to 128 of `a-z 0-9 _ -`, beginning with a letter or digit.
 * Errors: `storage/invalid-root-operation` for a key that names the store itself, 404 for any other key that names
 * nothing, `server/unavailable` when there is no room left.
 */
export interface Storage {
  /** Resolves when the bytes survive a crash. Readers see the old bytes or the new ones, never a part. */
  put(key: string, data: Uint8Array): Promise<void>;
  get(key: string): Promise<Buffer>;
  /** Removing what is not there succeeds, so that a removal can be tried again. */
  remove(key: string): Promise<void>;
}
