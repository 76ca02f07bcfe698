import { createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';

/** The name under which a list of the file is spooled, next to the others. */
export const nameIn = (part: string): string => part.replaceAll('/', '-');

/** Writes a list as lines of JSON, no faster than the disk. */
export class LineWriter {
  readonly #stream: WriteStream;

  constructor(file: string) {
    this.#stream = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  }

  async write(line: object): Promise<void> {
    if (!this.#stream.write(`${JSON.stringify(line)}\n`)) await once(this.#stream, 'drain');
  }

  async end(): Promise<void> {
    this.#stream.end();
    await finished(this.#stream);
  }
}
