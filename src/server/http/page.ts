import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';

const NONCE_PLACEHOLDER = /__CSP_NONCE__/g;

/**
 * Sends a built page. Scripts and styles run only from our own origin, or with the nonce made for this answer; no other
 * page may frame it unless `framedBy` names its origin.
 */
export function sendPage(
  reply: FastifyReply,
  page: string,
  framedBy: readonly string[] = ["'none'"],
): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framedBy.join(' ')}`,
  ].join('; ');
  return reply
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(page.replace(NONCE_PLACEHOLDER, nonce));
}
