import { analyse } from 'chardet';
import { isThai } from './thai.ts';

/** As much as is looked at to guess how a text is written. */
const SAMPLE_BYTES = 64 * 1024;
/** Of a hundred, as the library counts. What is less sure is mostly a few words with accents. */
const SURE = 20;
/** Of the signs beyond ASCII so many may be torn in a text that is written as it says, or as most are. */
const TORN_MAX_SHARE = 0.1;
/** Of the bytes of a text in UTF-16 that has words. */
const GAPS_LEAST_SHARE = 0.05;
/** What a decoder puts in the place of bytes that are nothing. */
const TORN = '\ufffd';
const WESTERN = 'windows-1252';
/** As the library calls them. */
const EAST_ASIAN = new Set(['Shift_JIS', 'GB18030', 'Big5', 'EUC-JP', 'EUC-KR']);

/**
 * Bytes as text: by their mark (BOM) or their gaps (UTF-16), else as they say or somebody says of them, else UTF-8, else as they
 * look. Who says that a text is Western is believed only where it is no UTF-8: any bytes may be Western text.
 */
export function decode(data: Uint8Array, declared?: string): string {
  const marked = bomOf(data) ?? gapsOf(data);
  if (marked) return new TextDecoder(marked).decode(data);
  const said = decoderOf(declared) ?? decoderOf(charsetInHead(data));
  const isSaid = said !== undefined && said !== WESTERN && !said.startsWith('utf-16');
  return (
    (isSaid ? withFewTorn(data, said) : undefined) ??
    withFewTorn(data, 'utf-8') ??
    new TextDecoder(said === WESTERN ? said : guess(data)).decode(data)
  );
}

/** Undefined for a text of which a good part cannot be read so. */
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

function bomOf([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** In UTF-16 every sign of ASCII has a zero beside it, blanks and line breaks at least; other texts hold hardly any zeros. */
function gapsOf(data: Uint8Array): string | undefined {
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

/** The name under which a charset is known here; undefined where it is not. */
function decoderOf(charset: string | undefined): string | undefined {
  if (charset === undefined) return undefined;
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    return undefined;
  }
}

/** What a page, or the XML that it is, says of itself at its beginning. */
function charsetInHead(data: Uint8Array): string | undefined {
  const head = Buffer.from(data.subarray(0, 2048)).toString('latin1');
  const xml = /^\s*<\?xml[^>]+encoding=["']([\w-]+)/.exec(head);
  if (xml) return xml[1];
  const tags = Array.from(head.matchAll(/<meta\s[^<>]*/gi), ([tag]) => tag);
  return tags.map((tag) => /charset\s*=["'\s]*([\w-]+)/i.exec(tag)?.[1]).find(Boolean);
}

/**
 * From what the language of the text makes likely; the sample begins where it is no ASCII any more. Where nothing is sure it is
 * Western, or, if it holds bytes that are no signs there, the first of East Asia that has signs for all.
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

/** Where a charset has no sign for a byte, its decoder gives a control or marks it as torn. */
function hasSignsFor(sample: Uint8Array, charset: string): boolean {
  return /[\u0080-\u009f]/.exec(withFewTorn(sample, charset) ?? '\u0080') === null;
}
