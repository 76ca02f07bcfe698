import { ATTACHMENT_MAX_BYTES } from '../../contract/limits.ts';
import { AppError } from '../app-error.ts';
import type { Egress } from '../egress/egress.ts';
import { operatorFetch } from '../egress/operator-fetch.ts';

/**
 * A file whose address comes from a message or from the service's data about it: fetched through egress, like
 * everything external. The token is sent only to the service's own addresses, and never along a redirect to another
 * one. Errors: those of egress, and `channel/refused` if it is unavailable.
 */
export async function readForeignFile(
  egress: Egress,
  url: string,
  { token, isOwn }: { token: string; isOwn: boolean },
): Promise<Buffer> {
  const headers = isOwn ? { authorization: `Bearer ${token}` } : {};
  const { status, body, contentType } = await egress.fetch(url, { headers, kind: 'file' });
  // Some services respond with a sign-in page if the file may not be read.
  const isPage = isOwn && contentType.startsWith('text/html');
  if (status !== 200 || isPage) throw notToBeHad();
  return body;
}

/** A file at the address the operator configured. Errors: `channel/unavailable`, `channel/refused`. */
export async function readOwnFile(service: string, url: string): Promise<Buffer> {
  const response = await operatorFetch(url, {}).catch((cause: unknown) => {
    throw new AppError('channel/unavailable', `${service} cannot be reached.`, { cause });
  });
  if (response.status !== 200 || !response.body) throw notToBeHad();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body) {
    bytes += part.length;
    // Leaving the loop ends the transfer.
    if (bytes > ATTACHMENT_MAX_BYTES) throw new AppError('request/too-large', 'This file is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function notToBeHad(): AppError {
  return new AppError('channel/refused', 'This file could not be fetched from its service.');
}
