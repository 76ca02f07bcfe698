import { Readable } from 'node:stream';
import { GetObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { STORAGE_OPERATION_RETRY_MS, STORAGE_UPLOAD_RETRY_MS } from '../../contract/limits.ts';
import { AppError, notFound } from '../app-error.ts';
import type { S3Address } from './address.ts';
import { retry } from './retry.ts';

/** How long to retry an unresponsive store; shorter only in tests. */
export interface S3Patience {
  operationMs: number;
  uploadMs: number;
}

/** As specified, for background work; `open.ts` has that of requests. */
export const specifiedPatience: S3Patience = {
  operationMs: STORAGE_OPERATION_RETRY_MS,
  uploadMs: STORAGE_UPLOAD_RETRY_MS,
};

/** A store that has accepted the connection but sends and receives no byte for this long counts as unavailable. */
const SILENCE_MAX_MS = 60_000;

/** For a caller whose request failed because a store is unavailable or denies us access. */
const RETRY_AFTER_SECONDS = 30;

/** One bucket of S3 or of a compatible server. */
export interface Bucket {
  name: string;
  prefix: string;
  client: S3Client;
  /** Runs an operation, retrying as long as a network or store failure may pass. */
  run: <T>(kind: 'operation' | 'upload', attempt: () => Promise<T>) => Promise<T>;
}

export async function readObject(client: S3Client, place: { Bucket: string; Key: string }): Promise<Buffer> {
  const { Body } = await client.send(new GetObjectCommand(place));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}

/** Errors: those of opening it; later failures destroy the stream. */
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
    // Retries are decided here: by time, not by count.
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: 5000,
      // Not `requestTimeout`: the library only warns about that, and a large chunk on a slow connection may take
      // longer.
      socketTimeout: Math.min(SILENCE_MAX_MS, patience.operationMs / 2),
    },
    // Many compatible servers don't support checksums in trailers.
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
 * Either no response arrived, or one saying that the store is unhealthy or overloaded, or that its clock differs: the
 * library then signs with the store's time from there on.
 */
function isTemporary(error: unknown): boolean {
  if (error instanceof AppError) return false;
  if (!(error instanceof S3ServiceException)) return isOfNetwork(error);
  if ('clockSkewCorrected' in error.$metadata) return true;
  const status = error.$metadata.httpStatusCode;
  return status === undefined || status >= 500 || status === 408 || status === 429;
}

/** By name: waiting doesn't fix a wrong setting or a bug of ours. */
function isOfNetwork(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return true;
  return /^(E[A-Z]+|UND_ERR_\w+)$/.test(code) || error.message === 'aborted';
}

/**
 * Translates a store's failure for the caller. Whatever it says about our permissions, address or clock is for the
 * operator: it is logged as the cause, and the caller is told to retry later.
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

/** Includes the error's name and the status: a store's own message for a refusal often says less, or nothing. */
function told(error: unknown): unknown {
  if (!(error instanceof S3ServiceException)) return error;
  const status = error.$metadata.httpStatusCode ?? 'no status';
  return new Error(`The store of STORAGE_URL answered ${status} ${error.name}: ${error.message}`, {
    cause: error,
  });
}
