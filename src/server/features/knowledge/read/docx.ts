import mammoth from 'mammoth';
import { UnreadableError, type Document } from './document.ts';
import { Hidden, markHidden } from './docx-hidden.ts';
import { withoutUnknown } from './docx-unknown.ts';
import { DOCX_MAX_ELEMENTS } from './limits.ts';
import { toMarkdown } from './markdown.ts';
import { titleOf } from './office.ts';
import { scanXml } from './xml.ts';
import { openArchive, type Archive } from './zip.ts';

/**
 * Keeps headings, lists and tables; drops pictures. The library for Word never sees the archive, only the requested
 * parts after they were found harmless: it would unpack without a limit.
 */
export async function readDocx(data: Uint8Array): Promise<Document> {
  const archive = openArchive(data);
  const hidden = new Hidden();
  const options = {
    convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
    transformDocument: hidden.dropFrom.bind(hidden),
  };
  const html = await mammoth.convertToHtml(inputOf(archive, hidden), options).catch((error: unknown) => {
    throw error instanceof UnreadableError
      ? error
      : new UnreadableError('This DOCX is damaged and cannot be read.');
  });
  const text = toMarkdown(html.value);
  if (text === '') throw new UnreadableError('This DOCX has no text.');
  return { title: titleOf(archive) ?? /^# (.+)$/m.exec(text)?.[1] ?? null, text };
}

/**
 * The opened archive, which the library accepts as `file`; its types only allow paths and bytes. The library knows by
 * which name the styles are found, and reads them before it transforms the document.
 */
function inputOf(archive: Archive, hidden: Hidden): { buffer: Buffer } {
  const file = {
    exists: (name: string) => archive.has(name),
    read: async (name: string, encoding?: string) => {
      const data = archive.read(name);
      if (!data) throw new UnreadableError('This DOCX is damaged and cannot be read.');
      if (/\.(?:xml|rels)$/i.test(name) || encoding === 'utf-8') requireHarmless(data);
      if (encoding === 'base64') return data.toString('base64');
      if (!encoding) return data;
      const text = new TextDecoder(encoding).decode(data);
      if (/<w:styles[\s>]/.test(text)) hidden.addStyles(data);
      return name.endsWith('.xml') ? withoutUnknown(markHidden(text)) : text;
    },
  };
  return { file } as unknown as { buffer: Buffer };
}

function requireHarmless(data: Uint8Array): void {
  let elements = 0;
  scanXml(data, {
    open: () => {
      elements += 1;
      if (elements > DOCX_MAX_ELEMENTS)
        throw new UnreadableError('This document is too long to be read. Split it and add the parts.');
    },
  });
}
