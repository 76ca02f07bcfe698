import { CHUNK_CHARACTERS, CHUNK_OVERLAP_CHARACTERS } from '../../../../contract/limits.ts';
import { isDense } from '../analyze/density.ts';
import { sectionsOf, type Section } from './sections.ts';

export interface ChunkText {
  text: string;
  headingPath: string[];
  /** One-based; null in a document without pages. */
  page: number | null;
  /** Characters from the start of the source's text. */
  offset: number;
}

/** Separates the pages in a paged document's text. */
export const PAGE_BREAK = '\f';

/** A character of a script without spaces says as much as this many letters, so its chunks are shorter. */
const LETTERS_A_DENSE_CHARACTER = 2.5;

/** On average; shorter pages are slides, each about one thing. */
const SLIDE_MAX_CHARACTERS = CHUNK_CHARACTERS / 2;

/**
 * Splits a Markdown text into passages of at most 1,600 characters that overlap by 320, at sentence boundaries where
 * possible, never across a heading or from one slide to the next. Runs in time linear in the text, whatever its content.
 */
export function chunkText(source: string): ChunkText[] {
  const scale = isDense(source) ? LETTERS_A_DENSE_CHARACTER : 1;
  const size = Math.round(CHUNK_CHARACTERS / scale);
  const overlap = Math.round(CHUNK_OVERLAP_CHARACTERS / scale);
  const pageAt = pageCounter(source);
  const chunks: ChunkText[] = [];
  const sections = sectionsOf(source);
  for (const section of hasSlides(source) ? sections.flatMap((one) => slidesOf(source, one)) : sections) {
    for (const { start, end } of spans(source, section, size, overlap)) {
      const text = source.slice(start, end).replaceAll(PAGE_BREAK, '\n');
      chunks.push({ text, headingPath: section.headingPath, page: pageAt(start), offset: start });
    }
  }
  return chunks;
}

function hasSlides(source: string): boolean {
  const breaks = source.split(PAGE_BREAK).length - 1;
  return breaks > 0 && source.length / (breaks + 1) < SLIDE_MAX_CHARACTERS;
}

function slidesOf(source: string, section: Section): Section[] {
  let { start } = section;
  return source
    .slice(start, section.end)
    .split(PAGE_BREAK)
    .map(({ length }) => {
      const slide = { ...section, start, end: start + length };
      start = slide.end + PAGE_BREAK.length;
      return slide;
    });
}

interface Span {
  start: number;
  end: number;
}

function* spans(source: string, section: Section, size: number, overlap: number): Generator<Span> {
  const whole = trimmed(source, section);
  const { end } = whole;
  let { start } = whole;
  while (end - start > size) {
    const cut = borderBefore(source, start + Math.floor(size / 2), start + size);
    yield trimmed(source, { start, end: cut });
    const next = borderAfter(source, cut - overlap, cut);
    start = trimmed(source, { start: next, end }).start;
  }
  if (end > start) yield { start, end };
}

function trimmed(source: string, { start, end }: Span): Span {
  while (start < end && isSpace(source, start)) start += 1;
  while (end > start && isSpace(source, end - 1)) end -= 1;
  return { start, end };
}

function isSpace(source: string, index: number): boolean {
  return source.charAt(index).trim() === '';
}

/** From the best kind of boundary to the worst; a match ends where the next passage may start. */
const borders = [
  /\n[ \t]*\n|\f/g,
  /[.!?…]["'”’»)\]]{0,4}\s+|[。！？]["”’」』）]{0,4}|\n(?=[ \t]{0,8}(?:[-*+|>]|\d{1,9}[.)])\s)/g,
  /\n/g,
  /\s+/g,
];

/** The last of the best boundaries in that range, or else its end. */
function borderBefore(source: string, from: number, to: number): number {
  const stretch = source.slice(from, to);
  for (const border of borders) {
    const last = [...stretch.matchAll(border)].at(-1);
    if (last) return from + last.index + last[0].length;
  }
  return wholeCharacter(source, to);
}

/** The first sentence or line boundary in that range, or else word boundary, or else its start. */
function borderAfter(source: string, from: number, to: number): number {
  const stretch = source.slice(from, to);
  for (const border of borders.slice(1)) {
    const first = stretch.matchAll(border).next().value;
    if (first) return from + first.index + first[0].length;
  }
  return wholeCharacter(source, from);
}

/** Never inside a surrogate pair. */
function wholeCharacter(source: string, index: number): number {
  const code = source.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}

/** Returns the pages of positions, which must be queried in ascending order. */
function pageCounter(source: string): (position: number) => number | null {
  let next = source.indexOf(PAGE_BREAK);
  if (next === -1) return () => null;
  let page = 1;
  return (position) => {
    for (; next !== -1 && next < position; next = source.indexOf(PAGE_BREAK, next + 1)) page += 1;
    return page;
  };
}
