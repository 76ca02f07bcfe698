import { UnreadableError, type Document } from './document.ts';
import { JSON_MAX_CHARACTERS, JSON_NESTING_MAX } from './limits.ts';
import { readPlain } from './plain.ts';
import { rowOf } from './table.ts';

/** A longer record is written line by line. */
const ROW_MAX_CHARACTERS = 400;
const HEADING_LEVEL_MAX = 6;
const HEADING_MAX_CHARACTERS = 150;
/** The fields that name a record, in order of preference. */
const names = ['title', 'name', 'question', 'heading', 'label', 'id'];

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/**
 * JSON in readable form: keys that lead to objects become headings, records of a list become rows in which every value
 * carries its key, and the punctuation is dropped. JSON Lines are such a list. Anything that isn't JSON is read as
 * text.
 */
export function readJson(text: string): Document {
  if (text.length > JSON_MAX_CHARACTERS)
    throw new UnreadableError(
      `This file is longer than ${JSON_MAX_CHARACTERS / 1_000_000} million characters.`,
    );
  requireShallow(text);
  const value = parsed(text) ?? parsedLines(text);
  if (value === undefined) return readPlain(text);
  const lines: string[] = [];
  write(lines, value, 1, '');
  const told = lines.join('\n').trim();
  if (told === '') throw new UnreadableError('This file has no text.');
  return { title: null, text: told };
}

/** Checked before parsing: the parser takes seconds for millions of brackets. */
function requireShallow(text: string): void {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at);
    if (sign === '{' || sign === '[') depth += 1;
    if (sign === '}' || sign === ']') depth -= 1;
    if (depth > JSON_NESTING_MAX) throw new UnreadableError('This file is nested too deeply to be read.');
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** Some number may be written differently from how a program would write it; handling that takes several times as long. */
const unusual = [/\d{16}/, /\.\d{0,15}0(?!\d)/, /\d[eE]/];

/** Keeps numbers as written: an account or order number may have more digits than a JavaScript number can hold. */
function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text, unusual.some((pattern) => pattern.test(text)) ? asWritten : undefined) as Json;
  } catch {
    return undefined;
  }
}

function asWritten(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  return typeof value === 'number' ? (source ?? value) : value;
}

function parsedLines(text: string): Json[] | undefined {
  const values: Json[] = [];
  for (const [line] of text.matchAll(/[^\n]+/g)) {
    if (line.trim() === '') continue;
    const value = parsed(line);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

function write(lines: string[], value: Json, level: number, path: string): void {
  if (isScalar(value)) lines.push(...(shown(value) === '' ? [] : [pair(path, shown(value))]));
  else if (Array.isArray(value)) writeList(lines, value, level, path);
  else writeObject(lines, value, level, path);
}

function writeList(lines: string[], list: Json[], level: number, path: string): void {
  if (!list.every(isScalar)) {
    for (const item of list) {
      if (isScalar(item) || Array.isArray(item)) write(lines, item, level, '');
      else writeRecord(lines, item, level);
    }
    return;
  }
  const texts = list.map(shown).filter(Boolean);
  const row = pair(path, texts.join(', '));
  if (row.length <= ROW_MAX_CHARACTERS) lines.push(...(texts.length > 0 ? [row] : []));
  else for (const text of texts) lines.push(`- ${text}`);
}

/** In one row if it is short, because then it can be an answer by itself; otherwise under its name. */
function writeRecord(lines: string[], record: { [key: string]: Json }, level: number): void {
  const cells = flat(record, '', ROW_MAX_CHARACTERS);
  if (cells) {
    if (cells.length > 0) lines.push(rowOf(cells));
    return;
  }
  const name = names
    .map((key) => record[key])
    .find((value) => typeof value === 'string' && value.trim() !== '');
  if (typeof name === 'string' && name.length <= HEADING_MAX_CHARACTERS) head(lines, level, name);
  else lines.push('');
  writeObject(lines, record, level + 1, '');
  lines.push('');
}

/** Scalars first, so that none ends up under the heading of a preceding object. */
function writeObject(lines: string[], object: { [key: string]: Json }, level: number, path: string): void {
  const entries = Object.entries(object);
  const isLong = (value: Json) => !isScalar(value) && flat({ value }, '', ROW_MAX_CHARACTERS) === undefined;
  for (const [key, value] of entries) {
    if (isLong(value)) continue;
    if (isScalar(value)) write(lines, value, level, joined(path, key));
    else lines.push(...(flat({ [key]: value }, path, ROW_MAX_CHARACTERS) ?? []));
  }
  for (const [key, value] of entries) {
    if (!isLong(value)) continue;
    head(lines, level, key);
    write(lines, value, level + 1, '');
  }
}

/** Every value with its path; undefined if that takes more than `left` characters. */
function flat(object: { [key: string]: Json }, path: string, left: number): string[] | undefined {
  const cells: string[] = [];
  for (const [key, value] of Object.entries(object)) {
    const to = joined(path, key);
    const room = left - cells.join('').length;
    const more = isScalar(value)
      ? [pair(to, shown(value))].filter(() => shown(value) !== '')
      : Array.isArray(value)
        ? flatList(value, to, room)
        : flat(value, to, room);
    if (!more || more.join('').length > room) return undefined;
    cells.push(...more);
  }
  return cells;
}

function flatList(list: Json[], path: string, left: number): string[] | undefined {
  if (list.length > left) return undefined;
  if (list.every(isScalar)) return list.length === 0 ? [] : [pair(path, list.map(shown).join(', '))];
  return flat(Object.fromEntries(list.map((item, index) => [String(index + 1), item])), path, left);
}

function head(lines: string[], level: number, words: string): void {
  lines.push('', `${'#'.repeat(Math.min(level, HEADING_LEVEL_MAX))} ${clean(words)}`, '');
}

function pair(path: string, text: string): string {
  return path === '' ? text : `${path}: ${text}`;
}

function joined(path: string, key: string): string {
  return path === '' ? clean(key) : `${path}.${clean(key)}`;
}

function isScalar(value: Json): value is string | number | boolean | null {
  return value === null || typeof value !== 'object';
}

function shown(value: string | number | boolean | null): string {
  return value === null ? '' : clean(String(value));
}

function clean(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
