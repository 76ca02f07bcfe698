import * as z from 'zod';
import { text } from './common.ts';
import { PUSH_ENDPOINT_MAX_CHARACTERS } from './limits.ts';
import { parseUrl } from './parse-url.ts';
import { route } from './route.ts';

const Endpoint = text(PUSH_ENDPOINT_MAX_CHARACTERS).refine(
  (value) => ['https:', 'http:'].includes(parseUrl(value)?.protocol ?? ''),
  'Must be an address of a push service.',
);
/** Bytes as browsers return them, in base64url. */
const bytes = (count: number) =>
  text(2 * count).refine((value) => decodedBytes(value) === count, `Must be ${count} bytes in base64url.`);

function decodedBytes(value: string): number {
  return /^[\w-]+=*$/.test(value) ? Math.floor((value.replaceAll('=', '').length * 3) / 4) : -1;
}

/**
 * Notifications for browsers in the background (Web Push, RFC 8030, 8291 and 8292), for members whom end users are
 * waiting for.
 */
export const push = {
  key: route({
    method: 'GET',
    path: '/v1/push/key',
    summary: 'The push key of this installation',
    access: 'user',
    input: z.strictObject({}),
    /** An uncompressed P-256 point in base64url, for `applicationServerKey`. */
    output: z.object({ publicKey: z.string() }),
  }),
  /** The same browser keeps the same subscription, whoever was signed in there before. */
  subscribe: route({
    method: 'POST',
    path: '/v1/push/subscription',
    summary: 'Notify this browser',
    access: 'user',
    input: z.strictObject({ endpoint: Endpoint, p256dh: bytes(65), auth: bytes(16) }),
    output: z.object({ subscribed: z.literal(true) }),
  }),
  unsubscribe: route({
    method: 'DELETE',
    path: '/v1/push/subscription',
    summary: 'Stop notifying this browser',
    access: 'user',
    input: z.strictObject({ endpoint: Endpoint }),
    output: z.object({ subscribed: z.literal(false) }),
  }),
};
