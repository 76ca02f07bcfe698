import { extractText, getDocumentProxy, getMeta } from 'unpdf';
import { PAGE_BREAK } from '../chunk.ts';
import { UnreadableError, type Document } from './document.ts';

/** Fewer letters than this a page on average are page numbers and stamps, not text. */
const LEAST_LETTERS_A_PAGE = 8;

/** Page by page, so that a passage knows its page. A scan without a text layer is refused: there is nothing to find in it. */
export async function readPdf(data: Uint8Array): Promise<Document> {
  const pdf = await getDocumentProxy(data).catch((error: unknown) => {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw new UnreadableError(
      isLocked ? 'This PDF is protected by a password.' : 'This PDF is damaged and cannot be read.',
    );
  });
  const { info } = await getMeta(pdf).catch(() => ({ info: {} as Record<string, unknown> }));
  const { text: pages } = await extractText(pdf, { mergePages: false });
  const letters = pages.join('').match(/\p{L}/gu)?.length ?? 0;
  if (letters < LEAST_LETTERS_A_PAGE * pages.length) {
    throw new UnreadableError(
      'This PDF holds no text, only pictures of pages. Give it a text layer (OCR) and add it again.',
    );
  }
  const title = info['Title'];
  return {
    title: typeof title === 'string' && title.trim() !== '' ? title.trim() : null,
    text: pages.map((page) => page.trim()).join(PAGE_BREAK),
  };
}
