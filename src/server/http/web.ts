import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { readBuiltPages } from './built-pages.ts';
import { serveEmbed, type FindPublicAgent } from './embed.ts';
import { agentNamedIn, withLinkCard } from './link-card.ts';
import { sendPage } from './page.ts';
import { sendProblem } from './problems.ts';

const FOR_EVER = 'public, max-age=31536000, immutable';
/** Its address never changes, so a new version is on every site within the hour; meanwhile a page never waits for it. */
const WIDGET_CACHING = 'public, max-age=3600, stale-while-revalidate=604800';

const LOOK_UP_MS = 500;

/** A service worker is governed by the policy of its own file: it may contact this server only. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

export interface WebOptions {
  /** The built application. */
  folder: string;
  findAgent: FindPublicAgent;
  /** Where people reach this server. */
  origin: () => string;
}

/**
 * Serves the built browser application: hashed assets with unlimited caching, and its page for every other address a
 * browser requests. If there is nothing to show, the page tells people so, and its status tells programs.
 */
export async function serveWeb(app: FastifyInstance, options: WebOptions): Promise<void> {
  const { folder, findAgent } = options;
  const page = await readFile(path.join(folder, 'index.html'), 'utf8');
  const pages = await readBuiltPages(folder, page);
  const frame = await readFile(path.join(folder, 'embed/index.html'), 'utf8');
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    globIgnore: ['**/*.html', 'pages.json', 'assets/**'],
    cacheControl: false,
    setHeaders: (reply, file) => {
      reply.header('cache-control', 'no-cache');
      if (path.relative(folder, file) === 'widget.js') openToEverySite(reply);
      if (path.relative(folder, file) === 'sw.js') reply.header('content-security-policy', WORKER_POLICY);
    },
  });
  await serveAssets(app, path.join(folder, 'assets'));
  serveEmbed(app, { page: frame, missing: page, findAgent });
  app.setNotFoundHandler(async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const [address = ''] = request.url.split('?', 1);
    const found = pages.find(({ pattern }) => pattern.test(address));
    const { accept = '*/*' } = request.headers;
    // Link previews and link checkers accept any type.
    const wantsPage = accept.includes('text/html') || (found && accept.includes('*/*'));
    if (!isRead || !wantsPage || /^\/(v1|socket\.io)\//.test(request.url))
      return sendProblem(app.refusalOf(request, reply), request, reply);
    // The pages where a provider's window ends must reach the page that opened it, across the provider's own pages.
    if (/^\/(auth\/google|connected)\b/.test(request.url))
      reply.header('cross-origin-opener-policy', 'unsafe-none');
    // Its address is a secret: it is not passed on, and not indexed.
    if (request.url.startsWith('/insights/'))
      reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex, nofollow');
    if (!found) return sendPage(reply.code(404), page);
    return sendPage(reply, await introduced(found.html, address, options));
  });
  const front = pages.find(({ pattern }) => pattern.test('/'))?.html ?? page;
  app.get('/', { schema: { hide: true } }, (_request, reply) => sendPage(reply, front));
}

/** The page of an agent's chat names its agent. It is served even if the lookup fails or takes too long. */
async function introduced(page: string, address: string, { findAgent, origin }: WebOptions): Promise<string> {
  const name = agentNamedIn(address);
  if (name === undefined) return page;
  const lookUp = findAgent(name).catch(() => undefined);
  const found = await Promise.race([lookUp, delay(LOOK_UP_MS, undefined, { ref: false })]);
  return found ? withLinkCard(page, found.agent, new URL(address, origin())) : page;
}

/** Files with a content hash in their names. A single route: one for each of these hundreds takes memory and time. */
async function serveAssets(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    prefix: '/assets/',
    allowedPath: (file) => /^\/?[\w.-]+$/.test(file),
    index: false,
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply) => reply.header('cache-control', FOR_EVER),
  });
}

/** The widget's script runs on every site, including with `integrity` and on cross-origin isolated pages. */
function openToEverySite(reply: { header: (name: string, value: string) => unknown }): void {
  reply.header('cache-control', WIDGET_CACHING);
  reply.header('access-control-allow-origin', '*');
  reply.header('cross-origin-resource-policy', 'cross-origin');
}
