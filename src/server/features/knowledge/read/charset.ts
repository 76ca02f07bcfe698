import { analyse } from 'chardet';
import { utf16Of } from '../../../utf16.ts';
import { isThai } from './thai.ts';

/** How much of a text is examined to guess its encoding. */
const SAMPLE_BYTES = 64 * 1024;
/** Out of a hundred, on the library's scale. Anything less certain is mostly a few accented words. */
const SURE = 20;
/** The share of non-ASCII characters that may be undecodable in a text that is in its declared or the usual encoding. */
const TORN_MAX_SHARE = 0.1;
/** The decoder's replacement for invalid bytes. */
const TORN = '\ufffd';
const WESTERN = 'windows-1252';
/** By the library's names. */
const EAST_ASIAN = new Set(['Shift_JIS', 'GB18030', 'Big5', 'EUC-JP', 'EUC-KR']);

/**
 * Decodes bytes to text: by their byte order mark or their zero bytes (UTF-16), or else as declared inside or outside,
 * or else as UTF-8, or else by guessing. A declaration as Western is only trusted if the text isn't UTF-8: any bytes
 * can be Western text.
 */
export function decode(data: Uint8Array, declared?: string): string {
  const utf16 = utf16Of(data);
  if (utf16) return new TextDecoder(utf16).decode(data);
  const said = decoderOf(declared) ?? decoderOf(charsetInHead(data));
  const isSaid = said !== undefined && said !== WESTERN && !said.startsWith('utf-16');
  return (
    (isSaid ? withFewTorn(data, said) : undefined) ??
    withFewTorn(data, 'utf-8') ??
    new TextDecoder(said === WESTERN ? said : guess(data)).decode(data)
  );
}

/** Undefined if a substantial part of the text can't be decoded this way. */
function withFewTorn(data: Uint8Array, charset: string): string | undefined {
  const text = new TextDecoder(charset).decode(data);
  if (!text.includes(TORN)) return text;
  let [torn, beyondAscii] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === TORN) torn += 1;
    if (text.charCodeAt(at) > 0x7f) beyondAscii += 1;
  }
  return torn <= beyondAscii * TORN_MAX_SHARE ? text : undefined;
}

/** The decoder's name for a charset; undefined if it is unknown. */
function decoderOf(charset: string | undefined): string | undefined {
  if (charset === undefined) return undefined;
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    return undefined;
  }
}

/** What an HTML or XML document declares about itself at its beginning. */
function charsetInHead(data: Uint8Array): string | undefined {
  const head = Buffer.from(data.subarray(0, 2048)).toString('latin1');
  const xml = /^\s*<\?xml[^>]+encoding=["']([\w-]+)/.exec(head);
  if (xml) return xml[1];
  const tags = Array.from(head.matchAll(/<meta\s[^<>]*/gi), ([tag]) => tag);
  return tags.map((tag) => /charset\s*=["'\s]*([\w-]+)/i.exec(tag)?.[1]).find(Boolean);
}

/**
 * Based on likelihoods for the text's language; the sample starts at the first non-ASCII byte. If nothing is certain,
 * it is Western or, if it contains bytes undefined there, the first East Asian charset that defines all of them.
 */
function guess(data: Uint8Array): string {
  const first = data.findIndex((byte) => byte > 0x7f);
  const sample = data.subarray(first, first + SAMPLE_BYTES);
  if (isThai(sample)) return 'windows-874';
  const isWestern = hasSignsFor(sample, WESTERN);
  const likely = analyse(sample).filter(
    ({ name, confidence }) => confidence >= SURE || (!isWestern && EAST_ASIAN.has(name)),
  );
  const charsets = likely.map(({ name }) => decoderOf(name));
  return charsets.find((charset) => charset && hasSignsFor(sample, charset)) ?? WESTERN;
}

/** For a byte that a charset doesn't define, its decoder returns a control or replacement character. */
function hasSignsFor(sample: Uint8Array, charset: string): boolean {
  return /[\u0080-\u009f]/.exec(withFewTorn(sample, charset) ?? '\u0080') === null;
}
