import { DeleteObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { readObject, type Bucket } from './s3-bucket.ts';
import { draftIsShort, requireKey, type Drafts } from './storage.ts';

/**
 * Each chunk of a draft is its own object, named by its start offset: S3 can't append, and its multipart uploads take
 * no part below 5 MB.
 */
export function openS3Drafts(bucket: Bucket): Drafts {
  const { name, client, run } = bucket;
  const folderOf = (key: string): string => `${bucket.prefix}drafts/${requireKey(key)}/`;
  const piecesOf = (key: string): Promise<Piece[]> => {
    const folder = folderOf(key);
    return run('operation', () => listPieces(bucket, folder));
  };
  const removeAll = async (keys: string[]): Promise<void> => {
    for (const Key of keys) {
      await run('operation', () => client.send(new DeleteObjectCommand({ Bucket: name, Key })));
    }
  };
  return {
    append: async (key, at, data) => {
      const pieces = await piecesOf(key);
      if (!reaches(pieces, at)) throw draftIsShort();
      await removeAll(pieces.filter((piece) => piece.at >= at).map((piece) => piece.key));
      const place = { Bucket: name, Key: `${folderOf(key)}${String(at).padStart(12, '0')}` };
      await run('upload', () => client.send(new PutObjectCommand({ ...place, Body: data })));
    },
    read: async (key, size) => {
      const pieces = await piecesOf(key);
      const data = Buffer.allocUnsafeSlow(size);
      for (let at = 0; at < size;) {
        const piece = pieces.find((candidate) => candidate.at === at);
        if (!piece || piece.size === 0) throw draftIsShort();
        const bytes = await run('operation', () => readObject(client, { Bucket: name, Key: piece.key }));
        at += bytes.copy(data, at, 0, Math.min(bytes.length, size - at));
      }
      return data;
    },
    stream: async function* (key, size) {
      const pieces = await piecesOf(key);
      for (let at = 0; at < size;) {
        const piece = pieces.find((candidate) => candidate.at === at);
        if (!piece || piece.size === 0) throw draftIsShort();
        const bytes = await run('operation', () => readObject(client, { Bucket: name, Key: piece.key }));
        yield bytes.subarray(0, size - at);
        at += bytes.length;
      }
    },
    remove: async (key) => removeAll((await piecesOf(key)).map((piece) => piece.key)),
  };
}

interface Piece {
  key: string;
  at: number;
  size: number;
}

async function listPieces({ name, client }: Bucket, folder: string): Promise<Piece[]> {
  const pieces: Piece[] = [];
  let next: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({
        Bucket: name,
        Prefix: folder,
        ...(next ? { ContinuationToken: next } : {}),
      }),
    );
    for (const { Key: key = '', Size: size = 0 } of page.Contents ?? [])
      pieces.push({ key, at: Number(key.slice(folder.length)), size });
    next = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (next !== undefined);
  return pieces;
}

/** Whether the chunks are contiguous from the first byte to this one. */
function reaches(pieces: readonly Piece[], end: number): boolean {
  for (let at = 0; at < end;) {
    const piece = pieces.find((candidate) => candidate.at === at && candidate.at + candidate.size <= end);
    if (!piece || piece.size === 0) return false;
    at += piece.size;
  }
  return true;
}
