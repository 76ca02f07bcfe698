import path from 'node:path/posix';
import { PAGE_BREAK } from '../index/chunk.ts';
import { UnreadableError, type Document } from './document.ts';
import { readChapter } from './html.ts';
import { CHAPTERS_MAX } from './limits.ts';
import { requiredPart } from './office.ts';
import { decode } from './charset.ts';
import { childrenOf, findAll, findFirst, textOf, xmlTree, type XmlElement } from './xml.ts';
import { openArchive, type Archive } from './zip.ts';

/** Chapters in reading order; the table of contents, the cover and everything outside that order are left out. */
export function readEpub(data: Uint8Array): Document {
  const archive = openArchive(data);
  if (archive.has('META-INF/encryption.xml') && archive.has('META-INF/rights.xml')) throw protectedBook();
  const rootFile = findFirst(requiredPart(archive, 'META-INF/container.xml'), 'rootfile');
  const opf = rootFile?.attributes['full-path'] ?? '';
  const book = requiredPart(archive, opf);
  const parts = chaptersOf(book).map((href) => partOf(opf, href));
  const locked = encryptedParts(archive);
  if (parts.some((part) => locked.has(part))) throw protectedBook();
  const chapters = parts.map((part) => {
    const data = archive.read(part);
    return data ? readChapter(decode(data)) : '';
  });
  const text = chapters
    .filter((chapter) => chapter !== '')
    .join('\n\n')
    .replaceAll(PAGE_BREAK, '\n');
  if (text === '') throw new UnreadableError('This book has no text.');
  return { title: textOf(findFirst(findFirst(book, 'metadata'), 'title')).trim() || null, text };
}

/** Often only the fonts are, which doesn't prevent reading. */
function encryptedParts(archive: Archive): Set<string> {
  const data = archive.read('META-INF/encryption.xml');
  const references = data ? findAll(xmlTree(data), 'CipherReference') : [];
  return new Set(references.map(({ attributes }) => partOf('', attributes['URI'] ?? '')));
}

function protectedBook(): UnreadableError {
  return new UnreadableError('This book is copy-protected and cannot be read.');
}

/** The chapters' addresses, relative to the file that lists them. */
function chaptersOf(book: XmlElement): string[] {
  const items = new Map(
    childrenOf(findFirst(book, 'manifest'), 'item').map(({ attributes }) => [attributes['id'], attributes]),
  );
  const contents = new Set(
    findAll(book, 'reference')
      .filter(({ attributes }) => /^(?:toc|cover)$/.test(attributes['type'] ?? ''))
      .map(({ attributes }) => attributes['href']?.split('#')[0]),
  );
  const spine = childrenOf(findFirst(book, 'spine'), 'itemref').filter(
    ({ attributes }) => attributes['linear'] !== 'no',
  );
  if (spine.length > CHAPTERS_MAX)
    throw new UnreadableError(`This book has more than ${CHAPTERS_MAX} chapters.`);
  // A chapter listed twice is read once.
  return [...new Set(spine.map(({ attributes }) => items.get(attributes['idref'])))].flatMap((item) => {
    const href = item?.['href'] ?? '';
    const isChapter =
      /html/i.test(item?.['media-type'] ?? '') && !/\b(?:nav|cover-image)\b/.test(item?.['properties'] ?? '');
    return isChapter && !contents.has(href) ? [href] : [];
  });
}

function partOf(opf: string, href: string): string {
  let decoded = href.split('#')[0] ?? '';
  try {
    decoded = decodeURIComponent(decoded);
  } catch {
    // An address with a bare percent sign is taken literally.
  }
  return path.resolve('/', path.dirname(opf), decoded).slice(1);
}
