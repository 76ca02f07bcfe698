import type { ServerResponse } from 'node:http';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PhotoAddress } from '../../../../contract/common.ts';
import { createEgress } from '../../../egress/egress.ts';
import { openLoopbackSite, type LoopbackSite } from '../../../egress/loopback-site.testing.ts';
import { imageNameOf, storageKeyOf } from '../../../images/address.ts';
import { createLog } from '../../../log.ts';
import type { Storage } from '../../../storage/storage.ts';
import { keepProductImage } from './product-image.ts';

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#a05000' } })
    .withExif({ IFD0: { Artist: 'Somebody' } })
    .jpeg()
    .toBuffer();
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>';

let shop: LoopbackSite;
let inside: LoopbackSite;
const kept = new Map<string, Uint8Array>();
const storage = { put: async (key: string, data: Uint8Array) => void kept.set(key, data) } as Storage;

beforeAll(async () => {
  const wide = await picture(1200, 600);
  const small = await picture(40, 30);
  const files: Record<string, (response: ServerResponse) => void> = {
    '/wide.jpg': (response) => response.end(wide),
    '/small': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(small),
    '/svg.jpg': (response) => response.end(svg),
    '/text.jpg': (response) => response.end('<script>alert(1)</script>'),
    '/cut.jpg': (response) => response.end(wide.subarray(0, 500)),
    '/missing.jpg': (response) => response.writeHead(404).end(wide),
    '/inside.jpg': (response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${inside.port}/x.jpg` }).end(),
    '/long.jpg': (response) => response.end(Buffer.concat([wide, Buffer.alloc(6 * 1024 * 1024)])),
  };
  shop = await openLoopbackSite((request, response) => files[request.url ?? '']?.(response));
  inside = await openLoopbackSite((_request, response) => response.end(wide));
});
afterAll(() => Promise.all([shop.close(), inside.close()]));

function keep(address: string, signal = new AbortController().signal) {
  const egress = createEgress({
    log: createLog({ logLevel: 'silent' }),
    allowedHosts: [`shop.example:${shop.port}`],
    resolve: async () => ['127.0.0.1'],
  });
  return keepProductImage({ egress, storage }, address, signal);
}
const at = (path: string) => `http://shop.example:${shop.port}${path}`;

async function stored(address: string | null) {
  const data = kept.get(storageKeyOf(imageNameOf(address ?? '') ?? ''));
  return data && sharp(data).metadata();
}

test('an image is re-encoded, scaled down, and gets an address of ours', async () => {
  const address = await keep(at('/wide.jpg'));
  expect(PhotoAddress.safeParse(address).success).toBe(true);
  const found = await stored(address);
  expect(found).toMatchObject({ format: 'webp', width: 480, height: 240 });
  expect(found?.exif).toBeUndefined();
});

test('a small one stays small, whatever type the shop declares', async () => {
  expect(await stored(await keep(at('/small')))).toMatchObject({ width: 40, height: 30 });
});

test.each(['/svg.jpg', '/text.jpg', '/cut.jpg', '/missing.jpg', '/inside.jpg', '/long.jpg'])(
  '%s is not fetched, and nothing is stored',
  async (path) => {
    const before = kept.size;
    expect(await keep(at(path))).toBeNull();
    expect(kept.size).toBe(before);
    expect(inside.connections()).toBe(0);
  },
);

test('aborted work stops', async () => {
  await expect(keep(at('/wide.jpg'), AbortSignal.abort(new Error('Stopped.')))).rejects.toThrow('Stopped.');
});
