import type { Readable } from 'node:stream';
import { AppError, notFound } from '../app-error.ts';

/**
 * Stores the bytes of uploaded files. The caller makes a key from an ID and never from user input: 8 to 128 of `a-z 0-9
 * _ -`, starting with a letter or digit. Errors: `storage/invalid-root-operation` for a key that names the store
 * itself, 404 for any other key that names nothing, `server/unavailable` if there is no space left or the store stayed
 * unreachable through all retries.
 */
export interface Storage {
  /** Resolves once the bytes survive a crash. Readers see the old bytes or the new ones, never a mix. */
  put(key: string, data: Uint8Array): Promise<void>;
  get(key: string): Promise<Buffer>;
  /** The same as a stream, for content that may not fit in memory. The caller must read it to its end or destroy it. */
  stream(key: string): Promise<Readable>;
  /** Removing something that doesn't exist succeeds, so that a removal can be retried. */
  remove(key: string): Promise<void>;
  drafts: Drafts;
}

/**
 * Content that arrives in chunks. A draft has a file's key, but isn't one: `get` doesn't find it. The writer must have
 * exclusive access to the draft, and keep track of its length: bytes beyond that belong to a chunk nobody acknowledged.
 */
export interface Drafts {
  /**
   * Writes `data` from byte `at` on, which is 0 or the end of an earlier chunk, and drops anything beyond. Resolves
   * once the bytes survive a crash. Errors: `resource/conflict` if the draft doesn't reach to `at`.
   */
  append(key: string, at: number, data: Uint8Array): Promise<void>;
  /** The first `size` bytes. Errors: `resource/conflict` if there are fewer. */
  read(key: string, size: number): Promise<Buffer>;
  /** The same in chunks, for content that doesn't fit in memory. */
  stream(key: string, size: number): AsyncIterable<Uint8Array>;
  /** Removing something that doesn't exist succeeds. */
  remove(key: string): Promise<void>;
}

/** Keys are validated by format alone: without dots and slashes none can escape the store, and none can name a device. */
export function requireKey(key: string): string {
  if (/^[./\\]*$/.test(key)) throw new AppError('storage/invalid-root-operation');
  if (!/^[a-z0-9][a-z0-9_-]{7,127}$/.test(key)) throw notFound();
  return key;
}

export function draftIsShort(): AppError {
  return new AppError('resource/conflict', 'Bytes of this upload are missing.');
}
