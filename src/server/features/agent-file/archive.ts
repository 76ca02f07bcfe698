import type { Readable } from 'node:stream';
import * as yauzl from 'yauzl';
import { AGENT_FILE_UNPACKED_MAX_BYTES, KNOWLEDGE_FILE_MAX_BYTES } from '../../../contract/limits.ts';
import { isPart } from './format.ts';

/** Why a file can't be imported, worded for the person who provided it. */
export class AgentFileError extends Error {}

/** The parts of an agent's file. Each part has exactly its declared length when read, or it is an error. */
export interface Archive {
  names: string[];
  /** Errors: `AgentFileError` for a part that is missing or larger than a file may be. */
  bytes: (name: string) => Promise<Buffer>;
  /** A list's lines with their numbers, from 1, each as JSON. None if the part doesn't exist. */
  lines: (name: string) => AsyncGenerator<{ number: number; value: unknown }>;
  close: () => void;
}

const ENTRIES_MAX = 200_000;
/** Deflate can reach 1,032; real lists and documents stay below 100. */
const RATIO_MAX = 200;
/** Below this size, any compression ratio is allowed. */
const RATIO_FREE_BYTES = 4 * 1024 * 1024;
/** What programs add that pack a folder: the folders themselves and, on a Mac, notes about them. Never read. */
const PACKING = /\/$|^__MACOSX\/|(?:^|\/)\.DS_Store$/;
/** One source with all its text, as JSON. */
const LINE_MAX_BYTES = 256 * 1024 * 1024;

/**
 * Opens an agent's file. Anything harmful is rejected from the directory alone, before anything is unpacked: parts
 * unknown to the format, whatever their path, and duplicate, encrypted, overlapping or excessively compressed ones.
 */
export async function openArchive(file: string): Promise<Archive> {
  const zip = await yauzl
    .openPromise(file, { lazyEntries: true, autoClose: false, strictFileNames: true })
    .catch((error: unknown) => {
      throw damaged(error);
    });
  try {
    return archiveOf(zip, await readDirectory(zip));
  } catch (error) {
    zip.close();
    throw error instanceof AgentFileError ? error : damaged(error);
  }
}

async function readDirectory(zip: yauzl.ZipFile): Promise<Map<string, yauzl.Entry>> {
  if (zip.entryCount > ENTRIES_MAX) throw new AgentFileError('The file has too many parts.');
  const entries = new Map<string, yauzl.Entry>();
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    if (PACKING.test(entry.fileName)) continue;
    requireFitting(entry);
    if (entries.has(entry.fileName)) throw new AgentFileError(`${entry.fileName} appears twice.`);
    entries.set(entry.fileName, entry);
    unpacked += entry.uncompressedSize;
  }
  if (unpacked > AGENT_FILE_UNPACKED_MAX_BYTES) throw tooLarge();
  requireApart([...entries.values()]);
  return entries;
}

function requireFitting({ fileName, ...entry }: yauzl.Entry): void {
  if (!isPart(fileName))
    throw new AgentFileError(`This is not an agent file: ${shown(fileName)} does not belong in one.`);
  const { uncompressedSize, compressedSize, generalPurposeBitFlag, compressionMethod } = entry;
  const isEncrypted = (generalPurposeBitFlag & 1) !== 0;
  if (isEncrypted || (compressionMethod !== 0 && compressionMethod !== 8))
    throw new AgentFileError(`${fileName} is compressed in an unsupported way.`);
  if (uncompressedSize > RATIO_FREE_BYTES && uncompressedSize > compressedSize * RATIO_MAX) throw tooLarge();
}

/** Overlapping parts are how a small archive expands to a huge one. */
function requireApart(entries: yauzl.Entry[]): void {
  let end = 0;
  for (const entry of entries.toSorted(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  )) {
    if (entry.relativeOffsetOfLocalHeader < end) throw new AgentFileError('The parts of the file overlap.');
    end = entry.relativeOffsetOfLocalHeader + entry.compressedSize;
  }
}

function archiveOf(zip: yauzl.ZipFile, entries: ReadonlyMap<string, yauzl.Entry>): Archive {
  const open = async (name: string): Promise<Readable> => {
    const entry = entries.get(name);
    if (!entry) throw new AgentFileError(`${name} is missing.`);
    return zip.openReadStreamPromise(entry);
  };
  return {
    names: [...entries.keys()],
    bytes: async (name) => {
      if ((entries.get(name)?.uncompressedSize ?? 0) > KNOWLEDGE_FILE_MAX_BYTES) throw tooLarge();
      const pieces: Buffer[] = [];
      for await (const piece of await readable(open(name))) pieces.push(piece);
      return Buffer.concat(pieces);
    },
    lines: async function* (name) {
      if (!entries.has(name)) return;
      let number = 0;
      for await (const line of linesOf(await readable(open(name)))) {
        number += 1;
        yield { number, value: parse(line, `${name}, line ${number}`) };
      }
    },
    close: () => zip.close(),
  };
}

/** A failure while reading a part is the file's fault. */
async function readable(opened: Promise<Readable>): Promise<AsyncIterable<Buffer>> {
  const stream = await opened.catch((error: unknown) => {
    throw error instanceof AgentFileError ? error : damaged(error);
  });
  return (async function* () {
    try {
      yield* stream as AsyncIterable<Buffer>;
    } catch (error) {
      throw damaged(error);
    }
  })();
}

async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf(10); end !== -1; end = piece.indexOf(10, start)) {
      yield Buffer.concat([...waiting, piece.subarray(start, end)]);
      waiting = [];
      size = 0;
      start = end + 1;
    }
    waiting.push(piece.subarray(start));
    size += piece.length - start;
    if (size > LINE_MAX_BYTES) throw tooLarge();
  }
  if (size > 0) yield Buffer.concat(waiting);
}

function parse(line: Buffer, where: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line)) as unknown;
  } catch (cause) {
    throw new AgentFileError(`${where}: this is not valid JSON in UTF-8.`, { cause });
  }
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 100).toWellFormed());
}

function tooLarge(): AgentFileError {
  return new AgentFileError('The file contains more than can be imported.');
}

function damaged(cause: unknown): AgentFileError {
  return new AgentFileError('The file is damaged or is not a ZIP.', { cause });
}
