import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { PAGE_MAX_COMPRESSION_RATIO } from '../../contract/limits.ts';
import { AppError } from '../app-error.ts';

/** The encodings `readBody` can decode; sent as `accept-encoding`. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: promisify(inflate),
  'deflate-raw': promisify(inflateRaw),
};

/**
 * The decoded body. Reading stops at `maxBytes` received; decoding stops at `maxBytes` produced or at the maximum
 * compression ratio of a page, whichever comes first: an expanded decompression bomb is never in memory.
 */
export async function readBody(
  stream: AsyncIterable<Buffer>,
  encoding: string,
  maxBytes: number,
): Promise<Buffer> {
  const received = await collect(stream, maxBytes);
  const coding = encoding.trim().toLowerCase();
  if (received.length === 0 || coding === '' || coding === 'identity') return received;
  const decode = decoderOf(coding, received);
  const maxOutputLength = Math.min(maxBytes, received.length * PAGE_MAX_COMPRESSION_RATIO);
  return decode(received, { maxOutputLength }).catch((error: unknown) => {
    if (error instanceof RangeError) throw tooLarge(maxBytes);
    throw new AppError('egress/failed', 'The site sent a corrupt response.', { cause: error });
  });
}

async function collect(stream: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** `deflate` means a zlib stream, but some servers omit zlib's header, whose first byte ends in 8. */
function decoderOf(coding: string, received: Buffer) {
  const name = coding === 'deflate' && ((received[0] ?? 0) & 15) !== 8 ? 'deflate-raw' : coding;
  const decoder = Object.entries(decoders).find(([known]) => known === name)?.[1];
  if (!decoder)
    throw new AppError('egress/failed', 'The site compressed its response in an unsupported way.');
  return decoder;
}

function tooLarge(maxBytes: number): AppError {
  const mebibytes = Math.max(1, Math.round(maxBytes / 1024 / 1024));
  return new AppError('egress/failed', `The response is larger than the limit of ${mebibytes} MB.`);
}
