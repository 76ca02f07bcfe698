import mammoth from 'mammoth';
import { UnreadableError, type Document } from './document.ts';
import { toMarkdown } from './markdown.ts';

/** Headings, lists and tables are kept; pictures are dropped. */
export async function readDocx(data: Uint8Array): Promise<Document> {
  const noImages = { convertImage: mammoth.images.imgElement(async () => ({ src: '' })) };
  const { value: html } = await mammoth.convertToHtml({ buffer: Buffer.from(data) }, noImages).catch(() => {
    throw new UnreadableError('This DOCX is damaged and cannot be read.');
  });
  const text = toMarkdown(html.replace(/<img[^>]*>/g, ''));
  if (text === '') throw new UnreadableError('This DOCX holds no text.');
  return { title: /^# (.+)$/m.exec(text)?.[1] ?? null, text };
}
