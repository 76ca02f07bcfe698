import { endianness } from 'node:os';
import type { Vector } from '../../../llm/embed.ts';

/** How vectors are stored: their signs as bits, their numbers as little-endian 32-bit floats. */

const BYTES_A_NUMBER = 4;
const isLittle = endianness() === 'LE';

/** One bit per number, as a string of 0 and 1: set if the number is above zero. */
export function bitsOf(vector: Vector): string {
  return Array.from(vector, (value) => (value > 0 ? '1' : '0')).join('');
}

export function bytesOf(vector: Vector): Buffer {
  const bytes = Buffer.from(vector.slice().buffer);
  return isLittle ? bytes : bytes.swap32();
}

/** The dot product with a stored vector of the same size: for vectors of length 1, their cosine similarity. */
export function similarityTo(vector: Vector, stored: Buffer): number {
  if (stored.length !== vector.length * BYTES_A_NUMBER) return 0;
  const numbers = numbersOf(stored);
  let sum = 0;
  for (let at = 0; at < vector.length; at += 1) sum += (vector[at] ?? 0) * (numbers[at] ?? 0);
  return sum;
}

export function numbersOf(stored: Buffer): Float32Array {
  // A copy is aligned for floats, which a value from the middle of a message may not be.
  const bytes = Buffer.from(stored);
  const own = isLittle ? bytes : bytes.swap32();
  const { buffer, byteOffset, length } = own;
  return byteOffset % BYTES_A_NUMBER === 0
    ? new Float32Array(buffer, byteOffset, length / BYTES_A_NUMBER)
    : new Float32Array(buffer.slice(byteOffset, byteOffset + length));
}
