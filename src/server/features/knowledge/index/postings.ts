/**
 * How the postings of a term are packed: for each chunk 64 bits, as two little-endian 32-bit numbers: the low 32 bits of
 * the chunk's number; then 8 bits more of it, 8 bits of how often the term occurs, 16 bits of the chunk's word count.
 * What PostgreSQL joins end to end is again such a list.
 */

export const WORDS_A_POSTING = 2;
export const BYTES_A_POSTING = 8;
const LOW_NUMBERS = 2 ** 32;
/** One more of the 8 high bits of a number. */
const HIGH_NUMBER = 0x100_0000;
const FREQUENCY_MAX = 0xff;
const LENGTH_MAX = 0xffff;

/** Writes a posting at that word of the list; counts beyond what fits say the largest that does. */
export function packPosting(
  packed: Uint32Array,
  at: number,
  chunkNumber: number,
  frequency: number,
  length: number,
): void {
  packed[at] = chunkNumber % LOW_NUMBERS;
  packed[at + 1] =
    Math.floor(chunkNumber / LOW_NUMBERS) * HIGH_NUMBER +
    Math.min(frequency, FREQUENCY_MAX) * 0x1_0000 +
    Math.min(length, LENGTH_MAX);
}

/** The same with `first` added to the number of every chunk, so that places in a block become numbers. */
export function renumbered(places: Uint32Array, first: number): Uint32Array {
  const packed = places.slice();
  for (let at = 0; at < packed.length; at += WORDS_A_POSTING) {
    const low = (packed[at] ?? 0) + (first % LOW_NUMBERS);
    const high = Math.floor(first / LOW_NUMBERS) + (low >= LOW_NUMBERS ? 1 : 0);
    packed[at] = low % LOW_NUMBERS;
    packed[at + 1] = (packed[at + 1] ?? 0) + high * HIGH_NUMBER;
  }
  return packed;
}

/** The postings of a term over all blocks, as read from the database. */
export class Postings {
  readonly #packed: Uint32Array;

  constructor(bytes: Uint8Array) {
    // A copy of its own begins at a multiple of four, as the view needs.
    this.#packed = new Uint32Array(new Uint8Array(bytes).buffer);
  }

  /** In how many chunks the term occurs. */
  get count(): number {
    return this.#packed.length / WORDS_A_POSTING;
  }

  get bytes(): number {
    return this.#packed.byteLength;
  }

  forEach(visit: (chunkNumber: number, frequency: number, length: number) => void): void {
    const packed = this.#packed;
    for (let at = 0; at < packed.length; at += WORDS_A_POSTING) {
      const rest = packed[at + 1] ?? 0;
      visit(
        (packed[at] ?? 0) + (rest >>> 24) * LOW_NUMBERS,
        (rest >>> 16) & FREQUENCY_MAX,
        rest & LENGTH_MAX,
      );
    }
  }
}
