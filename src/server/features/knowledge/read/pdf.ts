import { getDocumentProxy, getMeta } from 'unpdf';
import { PAGE_BREAK } from '../index/chunk.ts';
import { UnreadableError, type Document } from './document.ts';
import {
  DOCUMENT_TEXT_MAX_CHARACTERS,
  PDF_PAGE_MAX_CHARACTERS,
  PDF_PAGE_TIMEOUT_MS,
  PDF_PAGES_MAX,
  PDF_PICTURES_TIMEOUT_MS,
  PDF_STREAMS_TOO_LARGE_MAX,
} from './limits.ts';
import { withWholeWords } from './line-ends.ts';
import { boundThread, refusedBuffers, within } from './pdf-bounds.ts';
import { textOfLine, type Piece } from './pdf-line.ts';
import { hasPicture, UNTIL_PICTURE, WITHOUT_PICTURES } from './pdf-pictures.ts';

/** A lower average number of letters per page means page numbers and stamps, not text. */
const LEAST_LETTERS_A_PAGE = 8;

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Pdf['getPage']>>;
type TextContent = Awaited<ReturnType<Page['getTextContent']>>;

/**
 * Page by page, so that a passage knows its page. A scan without a text layer is refused: there is nothing to find in
 * it. Scripts, forms and pictures are ignored. From then on this thread's buffers are limited.
 */
export async function readPdf(data: Uint8Array): Promise<Document> {
  boundThread();
  const before = refusedBuffers();
  const refusals = () => refusedBuffers() - before;
  return opened(data, WITHOUT_PICTURES, (pdf) => readAll(pdf, refusals));
}

async function readAll(pdf: Pdf, refusals: () => number): Promise<Document> {
  if (pdf.numPages > PDF_PAGES_MAX)
    throw new UnreadableError(
      `This PDF has more than ${PDF_PAGES_MAX.toLocaleString('en')} pages. Split it and add the parts.`,
    );
  const title = await titleOf(pdf);
  const { pages, torn } = await readPages(pdf, refusals);
  const letters = pages.map(lettersOf);
  if (letters.reduce((sum, count) => sum + count, 0) < LEAST_LETTERS_A_PAGE * pages.length) {
    if (refusals() > 0) throw tooLarge();
    throw new UnreadableError(
      'This PDF has no text, only pictures of pages. Add a text layer (OCR) and try again.',
    );
  }
  const bare = letters.flatMap((count, at) =>
    count < LEAST_LETTERS_A_PAGE && !torn.includes(at + 1) ? [at + 1] : [],
  );
  const pictures = await picturesAmong(bare, pdf);
  const leftOut = [
    wordsOf(torn, {
      one: (page) => `Page ${page} of this PDF could not be read and was left out.`,
      more: (count, page) =>
        `${count} pages of this PDF could not be read and are left out; the first of them is page ${page}.`,
    }),
    wordsOf(pictures, {
      one: (page) =>
        `Page ${page} of this PDF is a picture. If it shows text, add a text layer (OCR) and try again.`,
      more: (count, page) =>
        `${count} pages of this PDF are pictures; the first of them is page ${page}. If they show text, add a text layer (OCR) and try again.`,
    }),
  ].filter((words) => words !== '');
  const text = withWholeWords(pages.join(PAGE_BREAK));
  return { title, text, ...(leftOut.length > 0 && { leftOut: leftOut.join(' ') }) };
}

interface PageWords {
  one: (page: number) => string;
  more: (count: number, firstPage: number) => string;
}

function wordsOf(pages: readonly number[], { one, more }: PageWords): string {
  const [first] = pages;
  if (first === undefined) return '';
  return pages.length === 1 ? one(first) : more(pages.length, first);
}

/**
 * Those of a PDF's pages without text that a person sees something on: empty ones miss nothing. What can't be looked at
 * in time, or at all, isn't named.
 */
async function picturesAmong(numbers: number[], pdf: Pdf): Promise<number[]> {
  const pictures: number[] = [];
  if (numbers.length === 0) return pictures;
  const look = async (stopping: Pdf) => {
    const end = performance.now() + PDF_PICTURES_TIMEOUT_MS;
    for (const number of numbers) {
      if (performance.now() > end) return;
      const isPicture = () => hasPicture(pdf, stopping, number);
      if (await within(PDF_PAGE_TIMEOUT_MS, isPicture, tooLarge)) pictures.push(number);
    }
  };
  await pdf
    .getData()
    .then((data) => opened(data, UNTIL_PICTURE, look))
    .catch(() => undefined);
  return pictures;
}

type Options = NonNullable<Parameters<typeof getDocumentProxy>[1]>;

async function opened<T>(data: Uint8Array, options: Options, use: (pdf: Pdf) => Promise<T>): Promise<T> {
  const pdf = await open(data, options);
  try {
    return await use(pdf);
  } finally {
    // Not awaited: an abandoned page may never finish.
    void pdf.loadingTask.destroy().catch(() => {});
  }
}

async function open(data: Uint8Array, options: Options): Promise<Pdf> {
  return getDocumentProxy(data, { verbosity: 0, ...options }).catch((error: unknown) => {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw new UnreadableError(
      isLocked ? 'This PDF is password-protected.' : 'This PDF is damaged and cannot be read.',
    );
  });
}

async function titleOf(pdf: Pdf): Promise<string | null> {
  const { info } = await getMeta(pdf).catch(() => ({ info: {} as Record<string, unknown> }));
  const title = info['Title'];
  return typeof title === 'string' && title.trim() !== '' ? title.trim() : null;
}

/** Sequential: a page's memory is freed before the next one. A damaged page is left empty, and reported. */
async function readPages(pdf: Pdf, refusals: () => number): Promise<{ pages: string[]; torn: number[] }> {
  const pages: string[] = [];
  const torn: number[] = [];
  let characters = 0;
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const text = await readPage(pdf, number).catch((error: unknown) => {
      if (error instanceof UnreadableError) throw error;
      torn.push(number);
      return '';
    });
    characters += text.length;
    if (characters > DOCUMENT_TEXT_MAX_CHARACTERS || refusals() > PDF_STREAMS_TOO_LARGE_MAX) throw tooLarge();
    pages.push(text);
  }
  return { pages, torn };
}

async function readPage(pdf: Pdf, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const reader = page.streamTextContent().getReader() as ReadableStreamDefaultReader<TextContent>;
  try {
    return await within(
      PDF_PAGE_TIMEOUT_MS,
      () => textOf(reader),
      () => new UnreadableError(`Page ${number} of this PDF takes too long to read.`),
    );
  } finally {
    void reader.cancel().catch(() => {});
    page.cleanup();
  }
}

/** Read as a stream, so that an endless page is noticed before it fills memory. */
async function textOf(reader: ReadableStreamDefaultReader<TextContent>): Promise<string> {
  const lines: string[] = [];
  let line: Piece[] = [];
  let characters = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return [...lines, textOfLine(line)].join('\n').replaceAll(PAGE_BREAK, ' ').trim();
    for (const item of value.items) {
      if (!('str' in item)) continue;
      characters += item.str.length;
      line.push(item);
      if (!item.hasEOL) continue;
      lines.push(textOfLine(line));
      line = [];
    }
    if (characters > PDF_PAGE_MAX_CHARACTERS) throw tooLarge();
  }
}

/** One by one: an array of all letters would be far larger than a long text itself. */
function lettersOf(page: string): number {
  let letters = 0;
  for (const _letter of page.matchAll(/\p{L}/gu)) letters += 1;
  return letters;
}

function tooLarge(): UnreadableError {
  return new UnreadableError('This PDF is too large to be read when decompressed.');
}
