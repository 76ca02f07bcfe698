/**
 * How the postings of a term are packed: for each chunk 64 bits, as two little-endian 32-bit numbers: the low 32 bits of
 * the chunk's number; then 8 bits more of it, 8 bits of how often the term occurs, 16 bits of the chunk's word count.
 * What PostgreSQL joins end to end is again such a list.
 */

const WORDS_A_POSTING = 2;
export const BYTES_A_POSTING = 8;
const LOW_NUMBERS = 2 ** 32;
const FREQUENCY_MAX = 0xff;
const LENGTH_MAX = 0xffff;

/** Appends a posting; counts beyond what fits say the largest that does. */
export function appendPosting(
  packed: number[],
  chunkNumber: number,
  frequency: number,
  length: number,
): void {
  packed.push(
    chunkNumber % LOW_NUMBERS,
    (Math.floor(chunkNumber / LOW_NUMBERS) * 0x100_0000 +
      (Math.min(frequency, FREQUENCY_MAX) << 16) +
      Math.min(length, LENGTH_MAX)) >>>
      0,
  );
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
