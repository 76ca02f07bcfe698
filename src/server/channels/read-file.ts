import { ATTACHMENT_MAX_BYTES } from '../../contract/limits.ts';
import { AppError } from '../app-error.ts';
import type { Egress } from '../egress/egress.ts';
import { operatorFetch } from '../egress/operator-fetch.ts';

/**
 * A file whose address stands in a message or in what a service says of it: through egress, as everything foreign. The token
 * goes along only where the address is the service's own, and by no redirect to another one.
 * Errors: those of egress, and `channel/refused` when it cannot be had.
 */
export async function readForeignFile(
  egress: Egress,
  url: string,
  { token, isOwn }: { token: string; isOwn: boolean },
): Promise<Buffer> {
  const headers = isOwn ? { authorization: `Bearer ${token}` } : {};
  const { status, body, contentType } = await egress.fetch(url, { headers, kind: 'file' });
  // Who may not read a file is shown a page to sign in by some services.
  const isPage = isOwn && contentType.startsWith('text/html');
  if (status !== 200 || isPage) throw notToBeHad();
  return body;
}

/** A file at the address that the operator has configured. Errors: `channel/unavailable`, `channel/refused`. */
export async function readOwnFile(service: string, url: string): Promise<Buffer> {
  const response = await operatorFetch(url, {}).catch((cause: unknown) => {
    throw new AppError('channel/unavailable', `${service} cannot be reached.`, { cause });
  });
  if (response.status !== 200 || !response.body) throw notToBeHad();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body) {
    bytes += part.length;
    // Leaving ends the transfer.
    if (bytes > ATTACHMENT_MAX_BYTES) throw new AppError('request/too-large', 'This file is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function notToBeHad(): AppError {
  return new AppError('channel/refused', 'This file could not be fetched from its service.');
}
