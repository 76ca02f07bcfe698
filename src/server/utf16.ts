/** How much of a text is examined. */
const SAMPLE_BYTES = 64 * 1024;
/** The least share of zeros among the bytes of a UTF-16 text that contains words. */
const GAPS_LEAST_SHARE = 0.05;

/** The decoder's name for a text's UTF-16, by its byte order mark or its zero bytes; undefined if it is another encoding. */
export function utf16Of(data: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = data;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return gapsOf(data);
}

/**
 * In UTF-16 every ASCII character, at least spaces and line breaks, comes with a zero byte; other texts contain hardly
 * any zeros.
 */
function gapsOf(data: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (data.length % 2 === 1) return undefined;
  const sample = data.subarray(0, SAMPLE_BYTES);
  let [first, second] = [0, 0];
  for (let at = 0; at < sample.length; at += 2) {
    if (sample[at] === 0) first += 1;
    if (sample[at + 1] === 0) second += 1;
  }
  const isGapped = first + second > Math.max(1, sample.length * GAPS_LEAST_SHARE);
  if (!isGapped || (first > 0 && second > 0)) return undefined;
  return first > 0 ? 'utf-16be' : 'utf-16le';
}
