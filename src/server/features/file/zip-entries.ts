const END_OF_DIRECTORY = 0x06054b50;
const END_SIZE = 22;
const COMMENT_MAX = 0xffff;
const ENTRY = 0x02014b50;
const ENTRY_SIZE = 46;
/** Real documents have a few thousand at most; any more are ignored. */
const ENTRIES_MAX = 10_000;

export function isZip(data: Buffer): boolean {
  return data.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1'));
}

/** The file names listed in the central directory. Nothing is unpacked; an offset that points outside ends the list. */
export function entryNames(data: Buffer): Set<string> {
  const names = new Set<string>();
  const end = data.subarray(-END_SIZE - COMMENT_MAX).lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  const endAt = Math.max(0, data.length - END_SIZE - COMMENT_MAX) + end;
  if (end < 0 || endAt + END_SIZE > data.length || data.readUInt32LE(endAt) !== END_OF_DIRECTORY)
    return names;
  let at = data.readUInt32LE(endAt + 16);
  while (names.size < ENTRIES_MAX && at + ENTRY_SIZE <= endAt && data.readUInt32LE(at) === ENTRY) {
    const nameLength = data.readUInt16LE(at + 28);
    names.add(data.toString('latin1', at + ENTRY_SIZE, at + ENTRY_SIZE + nameLength));
    at += ENTRY_SIZE + nameLength + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32);
  }
  return names;
}
