import type Sharp from 'sharp';
import { AppError, invalidField } from '../app-error.ts';
import { IMAGE_MAX_PIXELS, PROFILE_PHOTO_PIXELS } from '../../contract/limits.ts';
import { findFace, type GreyPicture, type Square } from './find-face.ts';

/** The supported formats, detected by their bytes; no other loader of the library is reachable, least of all SVG's. */
const readers = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((kind) => `VipsForeignLoad${kind}Buffer`);
let loaded: Promise<typeof Sharp> | undefined;

/** Loaded with the first picture. Caches nothing between two people's pictures. */
function library(): Promise<typeof Sharp> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: readers });
    sharp.cache(false);
    return sharp;
  });
  return loaded;
}

const TIMEOUT_SECONDS = 20;
/** Faces are searched in a copy of this many pixels in total. */
const SEARCH_PIXELS = 320 * 320;
/** The photo is this many times as large as the face: it includes hair and shoulders. */
const AROUND_FACE = 2.4;

let previous: Promise<unknown> = Promise.resolve();

/**
 * A square WebP of `PROFILE_PHOTO_PIXELS`, upright, of the first picture in the file. It is re-encoded, so nothing else
 * of the file survives: no location, no camera, no text, no second file hidden behind the first. Shows the clearest
 * frontal face; if none is found, the center. A process opens one picture at a time: the largest allowed takes about
 * 400 MB. Errors: 415 for anything but PNG, JPEG, WebP, GIF and AVIF, 413 for too many pixels, 400 for a damaged file.
 */
export async function makePhoto(data: Buffer): Promise<Buffer> {
  return inTurn(() => draw(data));
}

/** The same for the whole picture, scaled down if it is wider or higher than `maxPixels`. */
export async function makePicture(data: Buffer, maxPixels: number): Promise<Buffer> {
  return inTurn(async () => {
    await measure(data);
    const size = { width: maxPixels, height: maxPixels, fit: 'inside', withoutEnlargement: true } as const;
    return open(await library(), data)
      .resize(size)
      .webp({ quality: 80 })
      .toBuffer()
      .catch((cause: unknown) => {
        throw damaged(cause);
      });
  });
}

/** One of our pictures at a smaller width; unchanged if it is no wider. */
export async function narrowPicture(data: Buffer, width: number): Promise<Buffer> {
  return inTurn(async () => {
    const original = await measure(data);
    if (original.width <= width) return data;
    return open(await library(), data)
      .resize({ width })
      .webp({ quality: 80 })
      .toBuffer();
  });
}

function inTurn(draw: () => Promise<Buffer>): Promise<Buffer> {
  const work = previous.then(draw);
  previous = work.catch(() => undefined);
  return work;
}

async function draw(data: Buffer): Promise<Buffer> {
  const size = await measure(data);
  try {
    const { left, top, side } = await chooseSquare(data, size);
    return await open(await library(), data)
      .extract({ left, top, width: side, height: side })
      .resize(PROFILE_PHOTO_PIXELS, PROFILE_PHOTO_PIXELS)
      .webp({ quality: 85 })
      .toBuffer();
  } catch (cause) {
    throw damaged(cause);
  }
}

function open(sharp: typeof Sharp, data: Buffer) {
  return sharp(data, { limitInputPixels: IMAGE_MAX_PIXELS })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient();
}

/** A square within the picture, around the face or in the center, in whole pixels. */
async function chooseSquare(data: Buffer, { width, height }: Size): Promise<Square> {
  const full = Math.min(width, height);
  const around = (x: number, y: number, side: number): Square => ({
    left: Math.round(Math.min(Math.max(x - side / 2, 0), width - side)),
    top: Math.round(Math.min(Math.max(y - side / 2, 0), height - side)),
    side,
  });
  const shrink = Math.min(1, Math.sqrt(SEARCH_PIXELS / (width * height)));
  const face = await findFace(await greyOf(data, Math.max(1, Math.round(width * shrink))));
  if (!face) return around(width / 2, height / 2, full);
  const side = Math.max((face.side / shrink) * AROUND_FACE, PROFILE_PHOTO_PIXELS);
  const [x, y] = [(face.left + face.side / 2) / shrink, (face.top + face.side / 2) / shrink];
  return around(x, y, Math.min(Math.round(side), full));
}

async function greyOf(data: Buffer, width: number): Promise<GreyPicture> {
  const { data: pixels, info } = await open(await library(), data)
    .resize({ width })
    .flatten()
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels, width: info.width, height: info.height };
}

interface Size {
  width: number;
  height: number;
}

/** The displayed size, from the file's header alone: nothing is decoded yet. */
async function measure(data: Buffer): Promise<Size> {
  const sharp = await library();
  const found = await sharp(data, { limitInputPixels: false })
    .metadata()
    .catch((cause: unknown) => {
      const isUnknown = cause instanceof Error && /unsupported image format/i.test(cause.message);
      throw isUnknown ? notAccepted() : damaged(cause);
    });
  if (found.format === 'heif' && found.compression !== 'av1') throw notAccepted();
  const { width, height } = found.autoOrient;
  if (width * height > IMAGE_MAX_PIXELS)
    throw new AppError('request/too-large', 'The picture has too many pixels.');
  return { width, height };
}

function notAccepted(): AppError {
  return new AppError('request/unsupported-media-type', 'Accepted types are PNG, JPEG, WebP, GIF and AVIF.');
}

function damaged(cause: unknown): AppError {
  const { message, errors } = invalidField('media', 'The picture is damaged.');
  return new AppError('request/invalid', message, { errors, cause });
}
