import { rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { furnishFixture, type Fixture } from '../fuzz/fixture.ts';
import { routes } from '../fuzz/requests.ts';
import type { Product } from '../product.ts';
import { scanForFiles } from '../scan/ffuf.ts';
import { fullestRequest } from '../scan/fullest.ts';
import { hasMarks, markedRequest, scanForInjection } from '../scan/sqlmap.ts';
import { scanPages } from '../scan/wapiti.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';

/**
 * What independent scanners find: sqlmap on every value of every call, wapiti on pages and everything that is read,
 * ffuf for exposed files. They use an owner's credentials, who gets furthest. `SCAN_CALLS` selects sqlmap's calls (a
 * regular expression, `^audit`). A scanner that finds nothing anywhere would pass, so each is also given something to
 * find.
 */
const named = new RegExp(process.env['SCAN_CALLS'] ?? '.');
const calls = [...routes.keys()].filter((call) => named.test(call));
/** Tokens are valid for an hour. */
const FIXTURE_LIFETIME_MS = 30 * 60_000;

let folder: string;
let fixture: Fixture | undefined;
let furnishedAt = 0;
beforeAll(async () => {
  folder = await makeTemporaryFolder('scan');
});
afterAll(async () => {
  await fixture?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs `work` on two freshly furnished organizations. */
async function onCopy(work: (product: Product, fixture: Fixture) => Promise<void>): Promise<void> {
  if (fixture === undefined || Date.now() - furnishedAt > FIXTURE_LIFETIME_MS) {
    await fixture?.close();
    furnishedAt = Date.now();
    fixture = await furnishFixture();
  }
  const product = await fixture.open([]);
  await work(product, fixture).finally(product.close);
}

/** Runs `work` on a deliberately vulnerable server. */
async function onHole(listener: RequestListener, work: (host: string) => Promise<void>): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await work(`127.0.0.1:${(server.address() as AddressInfo).port}`).finally(() => server.close());
}

const queryOf = ({ url = '/' }: { url?: string | undefined }) =>
  new URL(url, 'http://localhost').searchParams;

describe('sqlmap', () => {
  test('finds a planted hole', async () => {
    const client = new pg.Client({ connectionString: inject('databaseUrl') });
    await client.connect();
    const listed: RequestListener = (request, response) =>
      void client
        .query(`select relname from pg_class order by ${queryOf(request).get('order')} limit 5`)
        .then(
          ({ rows }) => response.end(JSON.stringify(rows)),
          () => response.writeHead(400).end('{"title":"No."}'),
        );
    await onHole(listed, async (host) => {
      const request = { method: 'GET' as const, url: '/list?order=relname', headers: {} };
      const { found, output } = await scanForInjection(markedRequest(request, { host }), folder);
      expect(found.join('\n'), output).toContain('Parameter: ');
    });
    await client.end();
  });

  /** A scan that broke off would have found nothing either. */
  const scan = async (request: string): Promise<string[]> => {
    const { tried, found, output } = await scanForInjection(request, folder);
    expect(found, output).toEqual([]);
    expect(output).toContain('all tested parameters do not appear to be injectable');
    expect(output).not.toContain('500 (Internal Server Error)');
    return tried;
  };

  test.each(calls)('finds no way into the database through %s', (call) =>
    onCopy(async (product, world) => {
      const place = { host: new URL(product.url).host, path: routes.get(call)?.path };
      const request = markedRequest(await fullestRequest(product, world, call), place);
      const tried = hasMarks(request) ? await scan(request) : [];
      console.log(`${call}: ${tried.length} places`);
    }),
  );

  test('finds no way into the database through headers', () =>
    onCopy(async (product) => {
      const names = [
        'user-agent',
        'referer',
        'origin',
        'accept-language',
        'idempotency-key',
        'x-request-id',
        'cookie',
      ];
      const headers = names.map((name) => `${name}: a=1*\r\n`).join('');
      const { host } = new URL(product.url);
      const head = `POST /v1/log HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n`;
      const tried = await scan(`${head}${headers}\r\n${JSON.stringify({ log: 'x' })}`);
      for (const name of names) expect(tried.join()).toContain(name);
    }));
});

describe('wapiti', () => {
  test('finds a page that echoes its input', () =>
    onHole(
      (request, response) =>
        response.setHeader('content-type', 'text/html').end(`<p>You asked: ${queryOf(request).get('q')}</p>`),
      async (host) => {
        const found = await scanPages([`http://${host}/?q=x`], {}, folder);
        expect(found.join('\n')).toContain('Cross Site Scripting');
      },
    ));

  test('finds nothing on pages or in API reads', () =>
    onCopy(async (product, world) => {
      const { handle, agentId } = world.world;
      const pages = [
        '/',
        '/docs',
        `/chat/${handle}?q=x`,
        `/embed/${agentId}?q=x`,
        '/auth?signup=x',
        '/insights/x?q=x',
      ];
      const read: string[] = [];
      for (const [call, { method }] of routes)
        if (method === 'GET') read.push((await fullestRequest(product, world, call)).url);
      const headers = { authorization: `Bearer ${world.tokens.owner}` };
      const found = await scanPages(
        [...pages, ...read].map((page) => product.url + page),
        headers,
        folder,
      );
      // Below these paths, anything could be an agent's name or a secret, and the page says whether it exists.
      const real = found.filter((line) => !/^Backup file: GET \/(chat|insights)\//.test(line));
      // The first is sent where there is TLS; the other is a legacy browser switch that is better left alone.
      expect(real.toSorted()).toEqual([
        'HTTP Secure Headers: GET /: Strict-Transport-Security is not set',
        'HTTP Secure Headers: GET /: X-XSS-Protection is not set',
      ]);
    }));
});

describe('ffuf', () => {
  test('finds a file left lying around', () =>
    onHole(
      ({ url }, response) => response.writeHead(url === '/.git/HEAD' ? 200 : 404).end(),
      async (host) => {
        expect(
          (await scanForFiles(`http://${host}/`, folder)).map(({ url }) => new URL(url).pathname),
        ).toEqual(['/.git/HEAD']);
      },
    ));

  const planned = new Set([
    '/',
    '/docs',
    '/docs/',
    '/docs/errors',
    '/docs/json',
    ...[...routes.values()].map(({ path: place }) => place),
  ]);

  test.each(['/', '/v1/', '/files/', '/assets/', '/chat/', '/embed/', '/docs/', '/.well-known/'])(
    'finds nothing unintended under %s',
    (under) =>
      onCopy(async (product) => {
        const found = await scanForFiles(product.url + under, folder);
        const places = found.map(({ url }) => new URL(url).pathname);
        console.log(`${under}: ${places.join(', ')}`);
        expect(places.filter((place) => !planned.has(place))).toEqual([]);
      }),
  );
});
