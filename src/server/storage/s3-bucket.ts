import { Readable } from 'node:stream';
import { GetObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { STORAGE_OPERATION_RETRY_MS, STORAGE_UPLOAD_RETRY_MS } from '../../contract/limits.ts';
import { AppError, notFound } from '../app-error.ts';
import type { S3Address } from './address.ts';
import { retry } from './retry.ts';

/** How long a store that does not answer is tried again; shorter in tests alone. */
export interface S3Patience {
  operationMs: number;
  uploadMs: number;
}

export const specifiedPatience: S3Patience = {
  operationMs: STORAGE_OPERATION_RETRY_MS,
  uploadMs: STORAGE_UPLOAD_RETRY_MS,
};

/** A store that has taken the connection and neither gives nor takes a byte for so long is away. */
const SILENCE_MAX_MS = 60_000;

/** Of the caller whom a store that is away or refuses us has cost an answer. */
const RETRY_AFTER_SECONDS = 30;

/** One bucket of S3 or of a server that speaks its protocol. */
export interface Bucket {
  name: string;
  prefix: string;
  client: S3Client;
  /** Runs an operation, again as long as a fault of the network or the store may pass. */
  run: <T>(kind: 'operation' | 'upload', attempt: () => Promise<T>) => Promise<T>;
}

export async function readObject(client: S3Client, place: { Bucket: string; Key: string }): Promise<Buffer> {
  const { Body } = await client.send(new GetObjectCommand(place));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}

/** Errors: those of the beginning; what goes wrong later destroys the stream. */
export async function streamObject(
  client: S3Client,
  place: { Bucket: string; Key: string },
): Promise<Readable> {
  const { Body } = await client.send(new GetObjectCommand(place));
  return Body instanceof Readable ? Body : Readable.from([]);
}

export function openBucket(address: S3Address, patience: S3Patience): Bucket {
  const { region, endpoint, forcePathStyle, credentials } = address;
  const client = new S3Client({
    region,
    forcePathStyle,
    ...(endpoint ? { endpoint } : {}),
    ...(credentials ? { credentials } : {}),
    // Trying again is decided here: by the clock and not by a count.
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: 5000,
      // Not `requestTimeout`: the library only warns of that, and a large piece on a slow line may take longer.
      socketTimeout: Math.min(SILENCE_MAX_MS, patience.operationMs / 2),
    },
    // Many servers of this protocol know no checksums in trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return {
    name: address.bucket,
    prefix: address.prefix,
    client,
    run: (kind, attempt) =>
      retry(attempt, isTemporary, kind === 'upload' ? patience.uploadMs : patience.operationMs).catch(
        (error: unknown) => {
          throw explained(error);
        },
      ),
  };
}

/**
 * No answer came at all, or one that says that the store is not well or has too much to do, or that its clock shows another time: the
 * library signs by that one from then on.
 */
function isTemporary(error: unknown): boolean {
  if (error instanceof AppError) return false;
  if (!(error instanceof S3ServiceException)) return isOfNetwork(error);
  if ('clockSkewCorrected' in error.$metadata) return true;
  const status = error.$metadata.httpStatusCode;
  return status === undefined || status >= 500 || status === 408 || status === 429;
}

/** By name: a wrong setting or a mistake of ours is not mended by waiting. */
function isOfNetwork(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return true;
  return /^(E[A-Z]+|UND_ERR_\w+)$/.test(code) || error.message === 'aborted';
}

/**
 * What a store's failure means to the caller. Whatever it says to us, of our rights, our address or our clock, is the operator's to
 * read: it stands in the log as the cause, and the caller is to come again.
 */
function explained(error: unknown): unknown {
  const name = error instanceof Error ? error.name : '';
  if (error instanceof AppError) return error;
  if (name === 'NoSuchKey' || name === 'NotFound') return notFound();
  if (name === 'NoSuchBucket') return new AppError('storage/no-default-bucket', undefined, { cause: error });
  const detail = isTemporary(error)
    ? 'File storage cannot be reached right now. Try again in a moment.'
    : 'File storage is not working right now. Try again later.';
  return new AppError('server/unavailable', detail, {
    cause: told(error),
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/** With the kind of the error and the status in words: what the store says of a refusal is often less than they do, or nothing. */
function told(error: unknown): unknown {
  if (!(error instanceof S3ServiceException)) return error;
  const status = error.$metadata.httpStatusCode ?? 'no status';
  return new Error(`The store of STORAGE_URL answered ${status} ${error.name}: ${error.message}`, {
    cause: error,
  });
}
