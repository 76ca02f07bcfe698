import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { findFace } from './find-face.ts';
import { makePhoto } from './make-photo.ts';

const portrait = await readFile(path.join(import.meta.dirname, '../../../test/fixtures/astronaut.jpg'));

async function faceIn(data: Buffer) {
  const { data: pixels, info } = await sharp(data)
    .resize(320)
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return findFace({ pixels, width: info.width, height: info.height });
}

/** The portrait at one end of a wide gray picture. */
const wide = (left: number) =>
  sharp({ create: { width: 900, height: 400, channels: 3, background: '#808080' } })
    .composite([{ input: portrait, left, top: 8 }])
    .png()
    .toBuffer();

test('a face is located correctly', async () => {
  const face = await faceIn(portrait);
  const [x, y] = [(face?.left ?? 0) + (face?.side ?? 0) / 2, (face?.top ?? 0) + (face?.side ?? 0) / 2];
  expect(Math.hypot(x - 140, y - 70)).toBeLessThan(20);
});

test.each([0, 258, 516])(
  'the photo shows the face, wherever it was (%i pixels from the left)',
  async (left) => {
    const photo = await makePhoto(await wide(left));
    const face = await faceIn(await sharp(photo).png().toBuffer());
    expect(face?.side).toBeGreaterThan(80);
  },
);

test('a face in a large picture is zoomed in on, and a sideways picture is rotated first', async () => {
  const turned = await sharp(await wide(0))
    .rotate(270)
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const face = await faceIn(await makePhoto(turned));
  expect(face?.side).toBeGreaterThan(80);
});

test('without a face the photo shows the middle', async () => {
  const data = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#ff0000' } })
    .composite([
      {
        input: { create: { width: 300, height: 300, channels: 3, background: '#00ff00' } },
        left: 300,
        top: 0,
      },
    ])
    .png()
    .toBuffer();
  const { dominant } = await sharp(await makePhoto(data)).stats();
  expect(dominant.g).toBeGreaterThan(200);
  expect(dominant.r).toBeLessThan(60);
});

test('face detection does not block other requests', async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  await faceIn(portrait);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(3);
});
