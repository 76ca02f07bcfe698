import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { createEgress, type Egress } from './egress.ts';
import { openLoopbackSite, type LoopbackSite } from './loopback-site.testing.ts';

const log = createLog({ logLevel: 'silent' });
const MIB = 1024 * 1024;
const zeros = Buffer.alloc(100 * MIB);
const gzipBomb = gzipSync(zeros, { level: 1 });
const brotliBomb = brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } });
const page = Buffer.from('<p>Grüße</p>');
const tooLarge = { code: 'egress/failed', message: 'The response is larger than the limit of 5 MB.' };
const tooSlow = { code: 'egress/failed', message: 'The site took too long to answer.' };

let site: LoopbackSite;
let egress: Egress;
let sent = 0;
let isCut = false;

const answers: Record<string, (response: ServerResponse) => void> = {
  '/gzip-bomb': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipBomb),
  '/br-bomb': (response) => response.writeHead(200, { 'content-encoding': 'br' }).end(brotliBomb),
  '/br-ratio': (response) =>
    response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(zeros.subarray(0, MIB))),
  '/gzip': (response) => response.writeHead(200, { 'content-encoding': 'GZIP' }).end(gzipSync(page)),
  '/br': (response) => response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(page)),
  '/deflate': (response) => response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync(page)),
  '/deflate-raw': (response) =>
    response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateRawSync(page)),
  '/identity': (response) => response.writeHead(200, { 'content-encoding': 'identity' }).end(page),
  '/damaged': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'),
  '/truncated': (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(page).subarray(0, 20)),
  '/unknown-coding': (response) => response.writeHead(200, { 'content-encoding': 'zstd' }).end(page),
  '/constructor-coding': (response) =>
    response.writeHead(200, { 'content-encoding': 'constructor' }).end(page),
  '/ten-mib': (response) => response.end(zeros.subarray(0, 10 * MIB)),
  '/sixty-mib': (response) => response.end(zeros.subarray(0, 60 * MIB)),
  '/not-modified': (response) => response.writeHead(304, { etag: '"1"', 'content-encoding': 'gzip' }).end(),
  '/missing': (response) => response.writeHead(404).end(page),
  '/endless': endless,
  '/slow': (response) => void setInterval(() => response.write('x'), 50).unref(),
  '/silent': () => {},
  '/lying-length': (response) =>
    response.writeHead(200, { 'content-length': '99999999999' }).write('short', () => response.destroy()),
};

function endless(response: ServerResponse): void {
  response.on('close', () => (isCut = true));
  const more = (): void => {
    while (!response.closed && response.write(zeros.subarray(0, 65_536))) sent += 65_536;
  };
  response.on('drain', more);
  more();
}

beforeAll(async () => {
  site = await openLoopbackSite((request, response) => answers[request.url ?? '']?.(response));
  egress = createEgress({ log, allowedHosts: [`127.0.0.1:${site.port}`] });
});
afterAll(() => site.close());

const read = (path: string, options?: Parameters<Egress['fetch']>[1]) =>
  egress.fetch(`http://127.0.0.1:${site.port}${path}`, options);

test.each(['/gzip', '/br', '/deflate', '/deflate-raw', '/identity'])('%s is decoded', async (path) => {
  expect((await read(path)).body).toEqual(page);
});

test.each(['/gzip-bomb', '/br-bomb', '/br-ratio'])('%s is not decompressed', async (path) => {
  const before = process.memoryUsage().rss;
  await expect(read(path)).rejects.toMatchObject(tooLarge);
  expect(process.memoryUsage().rss - before).toBeLessThan(50 * MIB);
});

test.each(['/damaged', '/truncated', '/unknown-coding', '/constructor-coding', '/lying-length'])(
  '%s fails with a reason',
  async (path) => {
    await expect(read(path)).rejects.toMatchObject({
      code: 'egress/failed',
      message: expect.stringMatching(/^The site [a-z ]+\.$/),
    });
  },
);

test('an answer without a body is valid', async () => {
  expect(await read('/not-modified')).toMatchObject({ status: 304, contentType: '', body: Buffer.alloc(0) });
  expect(await read('/missing')).toMatchObject({ status: 404, body: page });
});

test('an endless body is cut off at the limit, along with its connection', async () => {
  await expect(read('/endless')).rejects.toMatchObject(tooLarge);
  await expect.poll(() => isCut).toBe(true);
  expect(sent).toBeLessThan(25 * MIB);
});

test('a caller may lower the limits but not raise them', async () => {
  await expect(read('/missing', { maxBytes: page.length - 1 })).rejects.toMatchObject({
    code: 'egress/failed',
  });
  expect((await read('/missing', { maxBytes: page.length })).body).toEqual(page);
  await expect(read('/gzip-bomb', { maxBytes: 100 * MIB })).rejects.toMatchObject(tooLarge);
});

test('a sitemap may be larger than a page, up to the limit for sitemaps', async () => {
  const sitemap = { kind: 'sitemap' } as const;
  const tooLargeSitemap = { ...tooLarge, message: 'The response is larger than the limit of 50 MB.' };
  expect((await read('/ten-mib', sitemap)).body).toHaveLength(10 * MIB);
  await expect(read('/ten-mib')).rejects.toMatchObject(tooLarge);
  await expect(read('/ten-mib', { ...sitemap, maxBytes: 5 * MIB })).rejects.toMatchObject(tooLarge);
  await expect(read('/sixty-mib', sitemap)).rejects.toMatchObject(tooLargeSitemap);
  await expect(read('/gzip-bomb', { ...sitemap, maxBytes: 100 * MIB })).rejects.toMatchObject(
    tooLargeSitemap,
  );
  await expect(read('/br-bomb', sitemap)).rejects.toMatchObject(tooLargeSitemap);
});

test.each(['/slow', '/silent'])('%s is cut off at its timeout', async (path) => {
  const started = performance.now();
  await expect(read(path, { timeoutMs: 300 })).rejects.toMatchObject(tooSlow);
  expect(performance.now() - started).toBeLessThan(2000);
});

test('a name server that does not answer gets no more time than a site', async () => {
  const waiting = createEgress({ log, allowedHosts: [], resolve: () => new Promise(() => {}) });
  await expect(waiting.fetch('http://site.example/', { timeoutMs: 100 })).rejects.toMatchObject(tooSlow);
});

test('a caller that gives up gets its own reason back', async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error('The job was stopped.')), 50);
  await expect(read('/slow', { signal: controller.signal })).rejects.toThrow('The job was stopped.');
  await expect(read('/gzip', { signal: controller.signal })).rejects.toThrow('The job was stopped.');
});

test('endless headers, an answer that is not HTTP and a closed port fail alike', async () => {
  const ways: ((socket: Socket) => void)[] = [
    (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(50_000)}`),
    (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
    (socket) => socket.destroy(),
  ];
  const server = createServer((socket) => ways.shift()?.(socket.on('error', () => {}).resume()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const broken = createEgress({ log, allowedHosts: [`127.0.0.1:${port}`] });
  const failure = { code: 'egress/failed', message: 'The site could not be reached.' };
  for (let way = 0; way < 3; way += 1)
    await expect(broken.fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject(failure);
  await new Promise((resolve) => server.close(resolve));
  await expect(broken.fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject(failure);
});

test('a name that does not exist is reported as such', async () => {
  const resolve = () =>
    Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }));
  const nameless = createEgress({ log, allowedHosts: [], resolve });
  await expect(nameless.fetch('http://nowhere.example/')).rejects.toMatchObject({
    code: 'egress/failed',
    message: 'No site with this name exists.',
  });
});
