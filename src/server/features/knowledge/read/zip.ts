import { crc32, inflateRawSync } from 'node:zlib';
import { UnreadableError } from './document.ts';
import {
  ARCHIVE_ENTRIES_MAX,
  ARCHIVE_UNPACKED_MAX_BYTES,
  PART_RATIO_FREE_BYTES,
  PART_RATIO_MAX,
  PART_UNPACKED_MAX_BYTES,
  PARTS_UNPACKED_MAX_BYTES,
} from './limits.ts';
import { directoryOf, LOCAL_HEADER_SIZE, type ZipEntry } from './zip-directory.ts';

/** The parts of a document that is an archive. Parts nobody asks for, pictures above all, stay packed. */
export interface Archive {
  names: string[];
  has(name: string): boolean;
  /** Undefined if there is no such part. */
  read(name: string): Buffer | undefined;
}

const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
/** The first bytes of an OLE file. */
const OLDER_FORM = 'd0cf11e0a1b11ae1';

/**
 * Opens an archive whose parts stay within the limits in total and don't overlap; nested archives are never opened.
 * Everything rejected here is rejected before anything is unpacked. Errors: `UnreadableError`.
 */
export function openArchive(bytes: Uint8Array): Archive {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  requireNoOlder(data);
  const listed = directoryOf(data, ARCHIVE_ENTRIES_MAX);
  if (listed === 'too-many') throw new UnreadableError('This file has too many parts to be read.');
  if (listed === undefined) throw damaged();
  for (const entry of listed) requireSmall(entry);
  if (sum(listed.map(({ size }) => size)) > ARCHIVE_UNPACKED_MAX_BYTES) throw tooLarge();
  requireApart(listed);
  const entries = new Map(listed.map((entry) => [entry.name, entry]));
  const folded = new Map(listed.map((entry) => [foldedName(entry.name), entry]));
  const find = (name: string) => entries.get(name) ?? folded.get(foldedName(name));
  let unpacked = 0;
  return {
    names: [...entries.keys()],
    has: (name) => find(name) !== undefined,
    read: (name) => {
      const entry = find(name);
      if (!entry) return undefined;
      unpacked += entry.size;
      if (entry.size > PART_UNPACKED_MAX_BYTES || unpacked > PARTS_UNPACKED_MAX_BYTES) throw tooLarge();
      return unpack(data, entry);
    },
  };
}

/** Part names are case-insensitive, and some programs write them with backslashes. */
function foldedName(name: string): string {
  return name.toLowerCase().replaceAll('\\', '/');
}

/** Office wraps password-protected files in the format it used before they were archives. */
function requireNoOlder(data: Buffer): void {
  if (data.toString('hex', 0, OLDER_FORM.length / 2) !== OLDER_FORM) return;
  if (data.includes('EncryptedPackage', 0, 'utf16le')) throw protectedFile();
  throw new UnreadableError(
    'This file is in an older format. Save it as DOCX, XLSX or PPTX and add it again.',
  );
}

function requireSmall({ size, packedSize }: ZipEntry): void {
  if (size > PART_RATIO_FREE_BYTES && size > packedSize * PART_RATIO_MAX) throw tooLarge();
}

/** Overlapping parts are how a small archive expands to a huge one. */
function requireApart(entries: ZipEntry[]): void {
  let end = 0;
  for (const entry of entries.toSorted((one, other) => one.offset - other.offset)) {
    if (entry.offset < end) throw new UnreadableError('The parts of this file overlap. It cannot be read.');
    end = entry.offset + LOCAL_HEADER_SIZE + entry.name.length + entry.packedSize;
  }
}

/** The output has exactly the declared size, so the limits applied to that hold. */
function unpack(data: Buffer, entry: ZipEntry): Buffer {
  if (entry.flags & ENCRYPTED) throw protectedFile();
  const start =
    entry.offset +
    LOCAL_HEADER_SIZE +
    data.readUInt16LE(entry.offset + 26) +
    data.readUInt16LE(entry.offset + 28);
  const packed = data.subarray(start, start + entry.packedSize);
  if (packed.length !== entry.packedSize) throw damaged();
  const content = contentOf(packed, entry);
  if (content.length !== entry.size || crc32(content) !== entry.crc) throw damaged();
  return content;
}

function contentOf(packed: Buffer, { method, size }: ZipEntry): Buffer {
  if (method === STORED) return packed;
  if (method !== DEFLATED) throw new UnreadableError('This file is compressed in an unsupported way.');
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(size, 1) });
  } catch {
    throw damaged();
  }
}

function protectedFile(): UnreadableError {
  return new UnreadableError('This file is password-protected. Remove the password and add it again.');
}

function damaged(): UnreadableError {
  return new UnreadableError('This file is damaged and cannot be read.');
}

function tooLarge(): UnreadableError {
  return new UnreadableError('This file is too large to be read when decompressed.');
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
