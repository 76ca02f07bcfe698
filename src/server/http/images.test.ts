import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../test/product.ts';

let product: Product;
let address: string;
beforeAll(async () => {
  product = await startProduct();
  const { uid } = (await product.sessionOf('ada')).user;
  const bytes = await readFile('test/fixtures/astronaut.jpg');
  const media = new File([bytes], 'me.jpg', { type: 'image/jpeg' });
  const { user } = await product.as('ada').user.uploadPhoto({ uid, media });
  address = product.url + user.profilePhoto;
});
afterAll(() => product.close());

const widthAt = async (query: string) => {
  const response = await fetch(address + query);
  expect(response.headers.get('content-type')).toBe('image/webp');
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  return (await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width;
};

test('a picture is served at the requested width, but never enlarged', async () => {
  expect(await widthAt('')).toBe(160);
  expect(await widthAt('?w=80')).toBe(80);
  expect(await widthAt('?w=80')).toBe(80);
  expect(await widthAt('?w=640')).toBe(160);
});

test.each(['?w=81', '?w=', '?w=80&w=160', '?w=-80', '?w=1e9'])(
  '%s is refused: only a few widths exist',
  async (query) => {
    expect((await fetch(address + query)).status).toBe(400);
  },
);

test('a picture that does not exist is not found at any width', async () => {
  expect((await fetch(`${address.replace(/\w{32}/, '0'.repeat(32))}?w=80`)).status).toBe(404);
});
