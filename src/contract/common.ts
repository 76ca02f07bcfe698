import * as z from 'zod';
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from './limits.ts';
import { parseUrl } from './parse-url.ts';
import { withoutUnseen } from './unseen.ts';

/** A point in time, ISO 8601 in UTC. */
export const Timestamp = z.iso.datetime();

/** Rejects NUL and lone surrogates, because PostgreSQL can't store them. */
export function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

/** Text of bounded length that the database can hold. */
export function text(maxCharacters: number, minCharacters = 0) {
  return z
    .string()
    .min(minCharacters)
    .max(maxCharacters)
    .refine(isStorableText, 'Must not contain NUL or broken characters.');
}

/** An IANA name. Offsets are rejected: PostgreSQL reads them with the opposite sign. */
export const TimeZone = text(64, 1)
  .regex(/^[A-Za-z]/, 'This time zone does not exist.')
  .refine(isTimeZone, 'This time zone does not exist.')
  .overwrite(inFull);

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value }).format();
    return true;
  } catch {
    return false;
  }
}

/** JavaScript knows zones such as `CNT` and `IST`; the database doesn't, or uses the name for another zone. */
function inFull(zone: string): string {
  if (zone.includes('/') || !isTimeZone(zone)) return zone;
  return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
}

/** Spaces, control characters, and the blank braille pattern. */
const EMPTY = /[\s\p{Cc}\u2800]/gu;

/** True if no part of the text is visible. */
const isBlank = (value: string): boolean => withoutUnseen(value).replace(EMPTY, '') === '';

const NOT_BLANK = 'Must not be blank.';

/** A display name: trimmed, not blank. */
export function name(maxCharacters: number) {
  return text(maxCharacters)
    .trim()
    .min(1, { error: NOT_BLANK, abort: true })
    .refine((value) => !isBlank(value), NOT_BLANK);
}

/** A message exactly as written: not blank. */
export function words(maxCharacters: number) {
  return text(maxCharacters).refine((value) => !isBlank(value), NOT_BLANK);
}

/** An address that a browser may open. */
export const WebAddress = text(2048).refine(isWebAddress, 'Must be an http or https address.');

function isWebAddress(value: string): boolean {
  const url = parseUrl(value);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:');
}

/** An agent's id or handle. Both are lowercase, however a person or a phone's keyboard writes them. */
export const AgentAddress = text(64, 1).toLowerCase();

/**
 * Where a photo can be loaded from: our own files only, so that no page calls another host. A profile accepts a
 * placeholder or its current photo; to use another one, upload it.
 */
export const PhotoAddress = text(512).regex(
  /^\/(files|images)\/[\w-]+(\.[\w-]+)*$/,
  'Must be an uploaded photo.',
);

/** A path on this site to return to: never another site, however it is written. */
export const OwnPath = text(512).regex(/^\/(?![/\\])[^\\\s]*$/, 'Must be a path on this site.');

/**
 * Letters beyond ASCII in its domain become those that mail servers know (IDNA): `ada@xn--bcher-kva.example`. Wide and
 * other variants of ASCII are refused, so that no address is written in two ways.
 */
export const EmailAddress = text(254).trim().toLowerCase().overwrite(withAsciiDomain).pipe(z.email());

function withAsciiDomain(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const isPlain = !/[^!-~]/.test(domain);
  if (isPlain || /[\s/?#:@%\\[\]\u3002]/.test(domain) || domain.normalize('NFKC') !== domain) return address;
  const host = parseUrl(`http://${domain}`)?.hostname ?? domain;
  return address.slice(0, -domain.length) + host;
}

/** Filters a list: every word must occur in what the list shows, ignoring case. */
export const Search = text(200).optional();

/** A file's bytes instead of JSON; clients get a `Blob`. Its type is the route's `produces`. */
export const Download = z.any().meta({ type: 'string', format: 'binary' }) as unknown as z.ZodType<Blob>;

/** The query fields of a list that can grow. */
export const page = {
  cursor: text(512).optional(),
  count: z.coerce.number<number>().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE_DEFAULT),
};

/**
 * The query fields of a list that is returned whole, as its callers expect, unless they request a page: with `count`,
 * or with the `cursor` of the previous page.
 */
export const pageIfAsked = {
  cursor: page.cursor,
  count: z.coerce.number<number>().int().min(1).max(PAGE_SIZE_MAX).optional(),
};

export const OrderBy = z.enum(['asc', 'desc']);

/** Null at the end of the list. */
export const nextCursor = z.string().nullable();

export const Empty = z.strictObject({});
