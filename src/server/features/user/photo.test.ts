import { deflateSync, crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../../test/product.ts';

let product: Product;
let uid: string;
beforeAll(async () => {
  product = await startProduct();
  uid = (await product.sessionOf('ada')).user.uid;
});
afterAll(() => product.close());

const upload = (bytes: Uint8Array | string, name = 'photo.png', type = 'image/png') =>
  product.as('ada').user.uploadPhoto({ uid, media: new File([bytes as BlobPart], name, { type }) });

async function shown(address: string): Promise<Response> {
  return fetch(product.url + address);
}

/** Red on the left, green in the middle, blue on the right. */
const flag = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#00ff00' } }).composite([
    {
      input: { create: { width: Math.floor(width / 3), height, channels: 3, background: '#ff0000' } },
      left: 0,
      top: 0,
    },
    {
      input: { create: { width: Math.floor(width / 3), height, channels: 3, background: '#0000ff' } },
      left: Math.floor((width * 2) / 3),
      top: 0,
    },
  ]);

/** A PNG that claims this size and contains next to nothing. */
function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const mark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    mark,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(100))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test.each(['png', 'jpeg', 'webp', 'avif', 'gif'] as const)(
  'a %s becomes a square of 160 pixels on our own site',
  async (format) => {
    const { user } = await upload(await flag(480, 320).toFormat(format).toBuffer());
    expect(user.profilePhoto).toMatch(/^\/images\/[0-9a-f]{32}\.webp$/);
    const response = await shown(user.profilePhoto);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    const made = await sharp(await response.arrayBuffer()).metadata();
    expect([made.format, made.width, made.height]).toEqual(['webp', 160, 160]);
  },
);

test('location, camera and all other metadata are removed', async () => {
  const data = await flag(300, 300)
    .withExif({
      IFD0: { Make: 'CameraMaker', ImageDescription: 'At home' },
      IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' },
    })
    .withIccProfile('p3')
    .jpeg()
    .toBuffer();
  expect((await sharp(data).metadata()).exif).toBeDefined();
  const { user } = await upload(data);
  const bytes = Buffer.from(await (await shown(user.profilePhoto)).arrayBuffer());
  expect(await sharp(bytes).metadata()).not.toHaveProperty('exif');
  expect(bytes.toString('latin1')).not.toMatch(/CameraMaker|At home|EXIF|ICCP|XMP/);
});

test('a sideways picture is shown upright', async () => {
  const data = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#00ff00' } })
    .composite([
      { input: { create: { width: 100, height: 200, channels: 3, background: '#ff0000' } }, left: 0, top: 0 },
    ])
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 100 })
    .toBuffer();
  const { user } = await upload(data);
  const { data: pixels } = await sharp(await (await shown(user.profilePhoto)).arrayBuffer())
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...pixels.subarray((y * 160 + x) * 3, (y * 160 + x) * 3 + 3)];
  // After a quarter turn, left has become top.
  expect(at(20, 20)[0]).toBeGreaterThan(200);
  expect(at(140, 20)[0]).toBeGreaterThan(200);
  expect(at(80, 140)[1]).toBeGreaterThan(200);
});

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
const html = '<!doctype html><script>alert(1)</script>';
test.each<[string, string | Buffer, number]>([
  ['an SVG', svg, 415],
  ['an SVG with an XML head', `<?xml version="1.0"?>${svg}`, 415],
  ['HTML that is called a PNG', html, 415],
  ['JavaScript', 'alert(1)//', 415],
  ['a PDF', '%PDF-1.7\n1 0 obj <<>> endobj', 415],
  ['a TIFF', Buffer.from('49492a000800000000000000', 'hex'), 415],
  ['a PNG of nothing but its first bytes', Buffer.from('89504e470d0a1a0a', 'hex'), 400],
  ['a GIF that is JavaScript', 'GIF89a/*\x00\x00*/=1;alert(1)//', 400],
])('%s is refused', async (_what, bytes, status) => {
  for (const type of ['image/png', 'image/svg+xml', 'text/html']) {
    const error = await upload(bytes, 'x.png', type).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status });
  }
});

test('a TIFF is refused, though it is a picture', async () => {
  await expect(upload(await flag(30, 30).tiff().toBuffer())).rejects.toMatchObject({ status: 415 });
});

test('only the picture is kept of a polyglot file', async () => {
  const gif = await flag(60, 60).gif().toBuffer();
  const jpeg = await flag(60, 60).jpeg().toBuffer();
  for (const bytes of [
    Buffer.concat([gif, Buffer.from(`/*${html}*/alert(1)`)]),
    Buffer.concat([jpeg, Buffer.from('<?php system($_GET["c"]); ?>')]),
  ]) {
    const { user } = await upload(bytes);
    const kept = Buffer.from(await (await shown(user.profilePhoto)).arrayBuffer()).toString('latin1');
    expect(kept).not.toMatch(/alert|php|script/);
  }
});

test('empty and oversized files are refused', async () => {
  await expect(upload('')).rejects.toMatchObject({ status: 400 });
  await expect(upload(Buffer.alloc(10 * 1024 * 1024 + 1))).rejects.toMatchObject({
    status: 413,
    code: 'request/too-large',
  });
});

test('a picture of 900 million pixels is refused by its header, without being decoded', async () => {
  const before = process.memoryUsage().rss;
  const started = performance.now();
  await expect(upload(pngOf(30_000, 30_000))).rejects.toMatchObject({ status: 413 });
  await expect(upload(pngOf(2 ** 31 - 1, 2 ** 31 - 1))).rejects.toMatchObject({
    status: expect.toSatisfy((status) => status === 400 || status === 413) as number,
  });
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});

test.each([
  [1, 60_000],
  [20_000, 2],
  [1, 1],
])('a picture of %i by %i pixels is drawn quickly', async (width, height) => {
  const started = performance.now();
  const { user } = await upload(
    await sharp({ create: { width, height, channels: 3, background: '#123456' } })
      .png()
      .toBuffer(),
  );
  expect((await shown(user.profilePhoto)).status).toBe(200);
  expect(performance.now() - started).toBeLessThan(15_000);
});

test('only the first frame of a long animation is drawn', async () => {
  const frames = await Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      sharp({ create: { width: 20, height: 20, channels: 3, background: { r: index % 256, g: 0, b: 0 } } })
        .png()
        .toBuffer(),
    ),
  );
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  const { user } = await upload(gif);
  expect((await sharp(await (await shown(user.profilePhoto)).arrayBuffer()).metadata()).pages ?? 1).toBe(1);
});

test('a new photo replaces the old one, whose address soon stops working', async () => {
  const first = (await upload(await flag(50, 50).png().toBuffer())).user.profilePhoto;
  const second = (await upload(await flag(50, 50).png().toBuffer())).user.profilePhoto;
  expect(second).not.toBe(first);
  await expect.poll(async () => (await shown(first)).status).toBe(404);
  expect((await shown(second)).status).toBe(200);
  await product.as('ada').user.updateProfile({ uid, profilePhoto: '/images/guest.svg' });
  await expect.poll(async () => (await shown(second)).status).toBe(404);
});

test('nobody can upload a photo for somebody else or use another person’s', async () => {
  const media = new File([await flag(50, 50).png().toBuffer()], 'x.png');
  await expect(product.as('bob').user.uploadPhoto({ uid, media })).rejects.toMatchObject({ status: 404 });
  const mine = (await upload(await flag(50, 50).png().toBuffer())).user.profilePhoto;
  const bob = (await product.sessionOf('bob')).user.uid;
  for (const profilePhoto of [
    mine,
    `/images/${'0'.repeat(32)}.webp`,
    '/files/fil_01k7z3v9w2e8xr4mbc5d6f7g8h',
  ]) {
    await expect(product.as('bob').user.updateProfile({ uid: bob, profilePhoto })).rejects.toMatchObject({
      status: 400,
      errors: [{ path: 'profilePhoto' }],
    });
  }
  await product.as('ada').user.updateProfile({ uid, profilePhoto: mine });
});

test.each([
  'data:image/svg+xml,<svg/>',
  'https://evil.example/x.png',
  '/images/../v1/x',
  '//evil.example/x',
  'javascript:x',
])('the photo address %s is refused', async (profilePhoto) => {
  await expect(product.as('ada').user.updateProfile({ uid, profilePhoto })).rejects.toMatchObject({
    status: 400,
  });
});

test.each([
  '/images/nothing.webp',
  `/images/${'a'.repeat(32)}.webp`,
  `/images/${'a'.repeat(32)}.svg`,
  '/images/fil_01k7z3v9w2e8xr4mbc5d6f7g8h',
  '/images/..%2f..%2fsecret.key',
  '/images/%00.webp',
])('%s is not found', async (address) => {
  expect((await shown(address)).status).toBe(404);
  expect((await fetch(product.url + address, { method: 'DELETE' })).status).toBe(405);
});

test('an organization has its own photo, which its managers can change', async () => {
  const { organization } = await product.as('ada').organization.create({ name: 'Acme' });
  const media = new File([await flag(80, 40).png().toBuffer()], 'x.png');
  const changed = await product.as('ada').organization.uploadPhoto({ id: organization.id, media });
  expect(changed.organization.profilePhoto).toMatch(/^\/images\/[0-9a-f]{32}\.webp$/);
  expect((await shown(changed.organization.profilePhoto)).status).toBe(200);
  await expect(
    product.as('bob').organization.uploadPhoto({ id: organization.id, media }),
  ).rejects.toMatchObject({ status: 404 });
  await expect(
    product
      .as('ada')
      .organization.updateProfile({ id: organization.id, profilePhoto: `/images/${'b'.repeat(32)}.webp` }),
  ).rejects.toMatchObject({ status: 400 });
});

test('JSON sent as a file is refused by its type', async () => {
  const { idToken } = await product.sessionOf('ada');
  const response = await fetch(`${product.url}/v1/user/${uid}/profile/media`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${idToken}` },
    body: JSON.stringify({ media: { path: '/etc/passwd' } }),
  });
  expect([400, 415]).toContain(response.status);
});
