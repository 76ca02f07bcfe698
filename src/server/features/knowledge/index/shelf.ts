import { readFile, writeFile } from 'node:fs/promises';
import { deserialize, serialize } from 'node:v8';
import { makeFolder, type Folder } from '../../../folders/work-folder.ts';

/** How many values are held in memory; any others are on disk. */
const HELD = 8;

/** Values by name, possibly more than fit in memory. The creator must clear it. */
export class Shelf<T> {
  readonly names = new Set<string>();
  readonly #held = new Map<string, T>();
  #folder: Folder | undefined;

  async put(name: string, value: T): Promise<void> {
    if (this.#held.size < HELD || this.#held.has(name)) {
      this.#held.set(name, value);
    } else {
      this.#folder ??= await makeFolder();
      await writeFile(this.#folder.at(name), serialize(value), { mode: 0o600 });
    }
    this.names.add(name);
  }

  /** Undefined: there is none with this name. */
  async get(name: string): Promise<T | undefined> {
    if (!this.names.has(name) || !this.#folder || this.#held.has(name)) return this.#held.get(name);
    return deserialize(await readFile(this.#folder.at(name))) as T;
  }

  async clear(): Promise<void> {
    this.names.clear();
    this.#held.clear();
    await this.#folder?.remove();
    this.#folder = undefined;
  }
}
