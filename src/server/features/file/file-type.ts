import path from 'node:path';
import { textTypes } from '../../../contract/file-kinds.ts';
import { AppError } from '../../app-error.ts';
import { utf16Of } from '../../utf16.ts';
import { entryNames, isZip } from './zip-entries.ts';

export const PDF = 'application/pdf';
export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
export const PPTX = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const EPUB = 'application/epub+zip';

/** The entry that identifies an archive as a document of its kind. */
const mainParts: [RegExp, string][] = [
  [/^word\/document\d*\.xml$/, DOCX],
  [/^ppt\/presentation\.xml$/, PPTX],
  [/^xl\/workbook\.xml$/, XLSX],
  [/^META-INF\/container\.xml$/, EPUB],
];

const documents = new Set(['.pdf', '.docx', '.pptx', '.xlsx', '.epub']);

/** Enough to tell text from anything else without scanning a 100 MB file byte by byte. */
const SAMPLE_BYTES = 64 * 1024;

/** The old Office format, which also wraps new documents with a password. */
const oldOffice = Buffer.from('d0cf11e0a1b11ae1', 'hex');

const asNewer = (extension: string) =>
  `This file is in an Office format from before 2007. Save it as ${extension} and add it again.`;

/** What such a file is by the streams in it, and what to do about it; the first matches, since a document may be attached to a message. */
const oldKinds = [
  ['EncryptedPackage', 'This file is password-protected. Remove the password and add it again.'],
  [
    '__properties_version1.0',
    'This file is a message from Outlook. Save it as .html or .txt and add it again.',
  ],
  ['WordDocument', asNewer('.docx')],
  ['PowerPoint Document', asNewer('.pptx')],
  ['Workbook', asNewer('.xlsx')],
  ['Book\0', asNewer('.xlsx')],
] as const;

const ACCEPTED =
  'Accepted types are PDF, Word, PowerPoint, Excel and EPUB files (.pdf, .docx, .pptx, .xlsx, .epub) and text (.txt, .md, .html, .csv, .tsv, .json, .jsonl) in UTF-8, UTF-16 or an older encoding.';

/**
 * A file's media type, judged by its content; the sender's claim is ignored. Errors: `storage/file-type` for anything
 * no reader here understands.
 */
export function fileTypeOf(name: string, data: Buffer): string {
  const extension = path.extname(name).toLowerCase();
  if (isPdf(data, extension)) return PDF;
  if (data.subarray(0, oldOffice.length).equals(oldOffice)) throw refusedOldOffice(data);
  const archiveType = isZip(data) ? archiveTypeOf(data) : undefined;
  if (archiveType) return archiveType;
  const textType = textTypes[extension];
  if (textType && isText(data)) return textType;
  if (documents.has(extension))
    throw new AppError(
      'storage/file-type',
      `This file is damaged or is not a valid ${extension} file. Save it again in the program that made it, or as PDF.`,
    );
  throw new AppError('storage/file-type', ACCEPTED);
}

function archiveTypeOf(data: Buffer): string | undefined {
  const names = [...entryNames(data)];
  return mainParts.find(([part]) => names.some((name) => part.test(name)))?.[1];
}

function refusedOldOffice(data: Buffer): AppError {
  const found = oldKinds.find(([stream]) => data.includes(Buffer.from(stream, 'utf16le')));
  return new AppError('storage/file-type', found?.[1] ?? ACCEPTED);
}

/** Readers accept up to 1 KB of other data before the marker; in a text file, that would be a text about PDF. */
function isPdf(data: Buffer, extension: string): boolean {
  const at = data.subarray(0, 1024).indexOf('%PDF-');
  return at === 0 || (at > 0 && extension === '.pdf');
}

/** The reader determines the encoding (`knowledge/read/charset.ts`). */
function isText(data: Buffer): boolean {
  const sample = data.subarray(0, SAMPLE_BYTES);
  const utf16 = utf16Of(data);
  if (utf16) return isUtf16(sample, utf16);
  return !data.includes(0) && !hasControls(sample.toString('latin1'));
}

function isUtf16(sample: Buffer, encoding: string): boolean {
  try {
    return !hasControls(new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true }));
  } catch {
    return false;
  }
}

/** Tab, line feed, form feed, carriage return and the old end-of-file marker occur in texts; other control characters don't. */
function hasControls(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- controls are what is looked for
  return /[\u0000-\u0008\u000b\u000e-\u0019\u001b-\u001f\u007f]/.test(text);
}
