import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ChangingSite {
  url: string;
  /** For SSRF_ALLOWED_HOSTS. */
  host: string;
  /** Path to body: HTML, or whatever `types` says. A missing path is a 404. */
  pages: Map<string, string | Buffer>;
  /** Paths that respond with this status instead of their page. */
  failing: Map<string, number>;
  /** The requests and their statuses, in order: `GET /a 304`. */
  requests: string[];
  close: () => Promise<void>;
}

const types: Record<string, string> = {
  '.xml': 'application/xml',
  '.atom': 'application/atom+xml',
  '.list': 'application/rss+xml',
  '.txt': 'text/plain',
  '.pdf': 'application/pdf',
};

/** A website on loopback whose pages change, with ETags like a real server's. */
export async function startChangingSite(pages: Record<string, string> = {}): Promise<ChangingSite> {
  const site = {
    pages: new Map<string, string | Buffer>(Object.entries(pages)),
    failing: new Map<string, number>(),
    requests: [] as string[],
  };
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname;
    const answer = (
      status: number,
      body: string | Buffer = '',
      headers: Record<string, string> = {},
    ): void => {
      site.requests.push(`${request.method} ${path} ${status}`);
      response.writeHead(status, headers).end(body);
    };
    const failure = site.failing.get(path);
    const body = site.pages.get(path);
    if (failure !== undefined) return answer(failure, 'Sorry');
    if (body === undefined) return answer(404, 'Not here');
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
    if (request.headers['if-none-match'] === etag) return answer(304, '', { etag });
    const type = types[/\.\w+$/.exec(path)?.[0] ?? ''] ?? 'text/html; charset=utf-8';
    answer(200, body, { etag, 'content-type': type });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...site,
    url: `http://${host}`,
    host,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

/** A typical page with links. */
export function pageOf(title: string, text: string, links: string[] = []): string {
  const list = links.map((link) => `<li><a href="${link}">${link}</a></li>`).join('');
  return `<!doctype html><html><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p><ul>${list}</ul></main></body></html>`;
}
