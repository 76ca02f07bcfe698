/**
 * How a term's postings are packed: for each chunk 64 bits, as two little-endian 32-bit numbers: the low 32 bits of the
 * chunk's number; then 8 more bits of it, 8 bits for how often the term occurs, 16 bits for the chunk's word count.
 * Concatenated by PostgreSQL, lists form such a list again.
 */

export const WORDS_A_POSTING = 2;
export const BYTES_A_POSTING = 8;
const LOW_NUMBERS = 2 ** 32;
/** One unit of a number's 8 high bits. */
const HIGH_NUMBER = 0x100_0000;
const FREQUENCY_MAX = 0xff;
const LENGTH_MAX = 0xffff;

/** Writes a posting at that word of the list; counts that don't fit are capped at the maximum. */
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

/** The same with `first` added to every chunk's number, turning positions in a block into numbers. */
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

/** A term's postings over all blocks, as read from the database. */
export class Postings {
  readonly #packed: Uint32Array;

  constructor(bytes: Uint8Array) {
    // A copy is aligned to a multiple of four, as the view requires.
    this.#packed = new Uint32Array(new Uint8Array(bytes).buffer);
  }

  /** The number of chunks the term occurs in. */
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
