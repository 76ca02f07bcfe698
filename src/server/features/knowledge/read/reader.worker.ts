import { answer } from '../worker/answer.ts';
import { UnreadableError, type Document } from './document.ts';
import { decode, readPlain } from './plain.ts';
import type { ReadRequest } from './read.ts';

/** Each document has a thread of its own, which loads the one reader that it needs: some of them do not bear each other. */
answer((request: ReadRequest): Promise<Document> =>
  read(request).catch((error: unknown) => {
    // What a reader stumbles over says nothing to the person; only our own words do.
    throw error instanceof UnreadableError
      ? error
      : new UnreadableError('This document is built in a way that cannot be read.');
  }),
);

async function read({ kind, data, charset }: ReadRequest): Promise<Document> {
  switch (kind) {
    case 'pdf':
      return (await import('./pdf.ts')).readPdf(data);
    case 'docx':
      return (await import('./docx.ts')).readDocx(data);
    case 'html':
      return (await import('./html.ts')).readHtml(decode(data, charset));
    case 'plain':
      return readPlain(decode(data, charset));
  }
}
