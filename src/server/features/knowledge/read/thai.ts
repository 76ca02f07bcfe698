/** Fewer characters aren't conclusive. */
const LEAST_SIGNS = 20;
/**
 * The share of the non-ASCII characters that are among the most frequent ones: in Thai more than half are, elsewhere
 * hardly this many.
 */
const USUAL_LEAST_SHARE = 0.4;
const usual = new Set(Buffer.from('d2b9c3cda1e0a7e8e9d1d5c1b7c7', 'hex'));
/** Quotes, dashes, the ellipsis and the euro sign, and the non-breaking space. */
const punctuation = new Set(Buffer.from('808591929394959697a0', 'hex'));

const isConsonant = (byte = 0): boolean => byte >= 0xa1 && byte <= 0xce;
/** Written above or below the preceding character. */
const isMark = (byte = 0): boolean =>
  byte === 0xd1 || (byte >= 0xd4 && byte <= 0xda) || (byte >= 0xe7 && byte <= 0xee);
const isVowelInFront = (byte: number): boolean => byte >= 0xe0 && byte <= 0xe4;
const isSign = (byte: number): boolean =>
  (byte >= 0xa1 && byte <= 0xda) || (byte >= 0xdf && byte <= 0xfb) || punctuation.has(byte);

/**
 * Whether non-ASCII bytes are Thai in Windows' encoding, which the library doesn't detect: each is in a position valid
 * for Thai, and most are among its most frequent characters.
 */
export function isThai(data: Uint8Array): boolean {
  let [signs, usualSigns] = [0, 0];
  for (const [at, byte] of data.entries()) {
    if (byte <= 0x7f) continue;
    if (!isSign(byte)) return false;
    if (isMark(byte) && !isConsonant(data[at - 1]) && !isMark(data[at - 1])) return false;
    if (isVowelInFront(byte) && at + 1 < data.length && !isConsonant(data[at + 1])) return false;
    signs += 1;
    if (usual.has(byte)) usualSigns += 1;
  }
  return signs >= LEAST_SIGNS && usualSigns >= signs * USUAL_LEAST_SHARE;
}
