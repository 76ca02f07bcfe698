import { storageKeyOf } from './address.ts';
import { narrowPicture } from './make-photo.ts';
import type { Storage } from '../storage/storage.ts';

/** The size of the whole cache: some thousand pictures as small as cards and lists request. */
const REMEMBERED_MAX_BYTES = 32 * 1024 * 1024;

/**
 * Our own pictures at the widths that screens request. The most recent are cached, since their bytes never change; the
 * storage is asked anyway, so that a removed picture is gone at every width.
 */
export class NarrowPictures {
  readonly #remembered = new Map<string, Buffer>();
  #bytes = 0;
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Errors: 404 if there is no such picture. */
  async get(name: string, width: number): Promise<Buffer> {
    const original = await this.#storage.get(storageKeyOf(name));
    const key = `${name} ${width}`;
    const known = this.#remembered.get(key);
    if (known) return known;
    const made = await narrowPicture(original, width);
    this.#remember(key, made);
    return made;
  }

  #remember(key: string, picture: Buffer): void {
    this.#bytes += picture.length - (this.#remembered.get(key)?.length ?? 0);
    this.#remembered.set(key, picture);
    for (const [oldest, { length }] of this.#remembered) {
      if (this.#bytes <= REMEMBERED_MAX_BYTES) return;
      this.#remembered.delete(oldest);
      this.#bytes -= length;
    }
  }
}
