/** A part as listed in an archive's central directory. */
export interface ZipEntry {
  name: string;
  flags: number;
  method: number;
  crc: number;
  /** In bytes, unpacked. */
  size: number;
  packedSize: number;
  /** Where its local header starts. */
  offset: number;
}

export const LOCAL_HEADER_SIZE = 30;
const LOCAL_HEADER = 0x04034b50;
const ENTRY = 0x02014b50;
const ENTRY_SIZE = 46;
const END = 'PK\u0005\u0006';
const END_SIZE = 22;
const COMMENT_MAX = 0xffff;
const UTF8_NAME = 0x800;
const IN_EXTRA_FIELD = 0xffff_ffff;
const ZIP64 = 1;

/**
 * The parts listed in an archive, without directories. Undefined if its directory is damaged or points outside;
 * `too-many` as soon as there are more than `max`.
 */
export function directoryOf(data: Buffer, max: number): ZipEntry[] | 'too-many' | undefined {
  const tail = data.subarray(-END_SIZE - COMMENT_MAX);
  const end = data.length - tail.length + tail.lastIndexOf(END, tail.length - END_SIZE, 'latin1');
  if (tail.length < END_SIZE || end < data.length - tail.length) return undefined;
  const entries: ZipEntry[] = [];
  const count = data.readUInt16LE(end + 10);
  let at = data.readUInt32LE(end + 16);
  for (let listed = 0; listed < count; listed += 1) {
    if (listed === max) return 'too-many';
    if (at + ENTRY_SIZE > end || data.readUInt32LE(at) !== ENTRY) return undefined;
    const next =
      at + ENTRY_SIZE + data.readUInt16LE(at + 28) + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32);
    const entry = next > end ? undefined : entryAt(data, at);
    if (!entry || !isInside(data, entry)) return undefined;
    if (!entry.name.endsWith('/')) entries.push(entry);
    at = next;
  }
  return entries;
}

function entryAt(data: Buffer, at: number): ZipEntry {
  const flags = data.readUInt16LE(at + 8);
  const nameEnd = at + ENTRY_SIZE + data.readUInt16LE(at + 28);
  const name = data.toString(flags & UTF8_NAME ? 'utf8' : 'latin1', at + ENTRY_SIZE, nameEnd);
  const [size = 0, packedSize = 0, offset = 0] = withExtra(
    [data.readUInt32LE(at + 24), data.readUInt32LE(at + 20), data.readUInt32LE(at + 42)],
    data.subarray(nameEnd, nameEnd + data.readUInt16LE(at + 30)),
  );
  return {
    name,
    flags,
    method: data.readUInt16LE(at + 10),
    crc: data.readUInt32LE(at + 16),
    size,
    packedSize,
    offset,
  };
}

/** Writers that don't know the sizes in advance put them into an extra field, as 64 bits, in this order. */
function withExtra(numbers: number[], extra: Buffer): number[] {
  let at = fieldOf(extra, ZIP64);
  return numbers.map((number) => {
    if (number !== IN_EXTRA_FIELD || at === undefined || at + 8 > extra.length) return number;
    at += 8;
    return Number(extra.readBigUInt64LE(at - 8));
  });
}

function fieldOf(extra: Buffer, id: number): number | undefined {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === id) return at + 4;
  }
  return undefined;
}

function isInside(data: Buffer, { offset, packedSize }: ZipEntry): boolean {
  return offset + LOCAL_HEADER_SIZE + packedSize <= data.length && data.readUInt32LE(offset) === LOCAL_HEADER;
}
