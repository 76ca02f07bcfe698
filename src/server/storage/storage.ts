import type { Readable } from 'node:stream';
import { AppError, notFound } from '../app-error.ts';

/**
 * Where the bytes of uploaded files are kept. A key is made by the caller from an id and never from what a person
 * sent: 8 to 128 of `a-z 0-9 _ -`, beginning with a letter or digit.
 * Errors: `storage/invalid-root-operation` for a key that names the store itself, 404 for any other key that names
 * nothing, `server/unavailable` when there is no room left or the store could not be reached for as long as it is tried.
 */
export interface Storage {
  /** Resolves when the bytes survive a crash. Readers see the old bytes or the new ones, never a part. */
  put(key: string, data: Uint8Array): Promise<void>;
  get(key: string): Promise<Buffer>;
  /** The same piece by piece, for what may be too large to be held. Whoever asks for it reads it to its end or destroys it. */
  stream(key: string): Promise<Readable>;
  /** Removing what is not there succeeds, so that a removal can be tried again. */
  remove(key: string): Promise<void>;
  drafts: Drafts;
}

/**
 * What arrives piece by piece. A draft has the keys of files, but is none: `get` does not find it. Who appends must be
 * alone with the draft, and remembers how long it is: bytes beyond that are of a piece that nobody acknowledged.
 */
export interface Drafts {
  /**
   * Writes `data` from byte `at` on, which is 0 or the end of an earlier piece, and drops what was there beyond. Resolves
   * when the bytes survive a crash. Errors: `resource/conflict` when the draft does not reach to `at`.
   */
  append(key: string, at: number, data: Uint8Array): Promise<void>;
  /** The first `size` bytes. Errors: `resource/conflict` when there are not as many. */
  read(key: string, size: number): Promise<Buffer>;
  /** The same piece by piece, for what is too large to be held. */
  stream(key: string, size: number): AsyncIterable<Uint8Array>;
  /** Removing what is not there succeeds. */
  remove(key: string): Promise<void>;
}

/** Keys are refused by their form alone: without dots and slashes none can lead out of the store, and none can name a device. */
export function requireKey(key: string): string {
  if (/^[./\\]*$/.test(key)) throw new AppError('storage/invalid-root-operation');
  if (!/^[a-z0-9][a-z0-9_-]{7,127}$/.test(key)) throw notFound();
  return key;
}

export function draftIsShort(): AppError {
  return new AppError('resource/conflict', 'Bytes of this upload are missing.');
}
