import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { notFound } from '../app-error.ts';
import { sendProblem } from './problems.ts';

const NONCE_PLACEHOLDER = /__CSP_NONCE__/g;

/** Serves the built browser application: hashed assets for ever, its page for every other address a browser asks for. */
export async function serveWeb(app: FastifyInstance, folder: string): Promise<void> {
  const page = await readFile(path.join(folder, 'index.html'), 'utf8');
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    globIgnore: ['index.html'],
    cacheControl: false,
    setHeaders: (reply, file) => {
      const isHashed = file.includes(`${path.sep}assets${path.sep}`);
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' && request.headers.accept?.includes('text/html');
    if (!wantsPage || /^\/(v1|socket\.io)\//.test(request.url))
      return sendProblem(notFound(), request, reply);
    // The page at which a provider's window ends must reach the page that opened it, across the provider's own pages.
    if (request.url.startsWith('/auth/google')) reply.header('cross-origin-opener-policy', 'unsafe-none');
    return sendPage(reply, page);
  });
  app.get('/', { schema: { hide: true } }, (_request, reply) => sendPage(reply, page));
}

/** Scripts and styles run only from our own origin, or with the nonce made for this one answer. */
function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
  return reply
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(page.replace(NONCE_PLACEHOLDER, nonce));
}
