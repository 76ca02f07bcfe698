import { cutText } from '../../../../contract/cut-text.ts';
import { visible } from '../analyze/visible.ts';
import { UnreadableError, type Document } from './document.ts';
import { DOCUMENT_TEXT_MAX_CHARACTERS, DOCUMENT_TITLE_MAX_CHARACTERS } from './limits.ts';
import { decode } from './charset.ts';
import { withoutFrontMatter } from './front-matter.ts';
import { readPlain, withOurLines } from './plain.ts';
import type { ReadRequest } from './read.ts';

/**
 * Reads in this thread, loading only the reader it needs. Errors: `UnreadableError` only, because a reader's internal
 * errors mean nothing to the person whose document it is.
 */
export async function read(request: ReadRequest): Promise<Document> {
  const found = await readAs(request).catch((error: unknown) => {
    throw error instanceof UnreadableError
      ? error
      : new UnreadableError('This document has a structure that cannot be read.');
  });
  const document = storable(found);
  if (document.text.trim() === '') throw new UnreadableError('This document has no text.');
  if (document.text.length > DOCUMENT_TEXT_MAX_CHARACTERS)
    throw new UnreadableError('This document has too much text. Split it and add the parts.');
  return document;
}

/**
 * Without characters that no database can hold, and without those that only mark possible word breaks: nobody types
 * these when searching.
 */
function storable({ title, text, card, ...rest }: Document): Document {
  const clean = (said: string) => visible(said).replaceAll('\0', '').toWellFormed();
  const named = (said: string) => cutText(clean(said).trim(), DOCUMENT_TITLE_MAX_CHARACTERS);
  return {
    ...rest,
    title: title === null ? null : named(title) || null,
    text: clean(text),
    ...(card && {
      card: {
        ...card,
        name: clean(card.name),
        description: card.description === null ? null : clean(card.description),
      },
    }),
  };
}

async function readAs({ kind, data, charset, ...page }: ReadRequest): Promise<Document> {
  switch (kind) {
    case 'pdf':
      return (await import('./pdf.ts')).readPdf(data);
    case 'docx':
      return (await import('./docx.ts')).readDocx(data);
    case 'pptx':
      return (await import('./pptx.ts')).readPptx(data);
    case 'xlsx':
      return (await import('./xlsx.ts')).readXlsx(data);
    case 'epub':
      return (await import('./epub.ts')).readEpub(data);
    case 'html':
      return (await import('./html.ts')).readHtml(decode(data, charset), page);
    case 'csv':
      return (await import('./csv.ts')).readCsv(decode(data, charset));
    case 'json':
      return (await import('./json.ts')).readJson(decode(data, charset));
    case 'plain':
      return readPlain(await withoutFrontMatter(withOurLines(decode(data, charset))));
  }
}
