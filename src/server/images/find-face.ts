import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** A grayscale picture, one byte per pixel. */
export interface GreyPicture {
  pixels: Uint8Array;
  width: number;
  height: number;
}

export interface Square {
  left: number;
  top: number;
  side: number;
}

/** Smaller faces mean too many places to check, and are nobody's portrait. */
const SMALLEST_PIXELS = 26;
/** The search moves in steps of this fraction of a face, through sizes that grow by this factor. */
const STEP = 0.05;
const GROWTH = 1.15;
/** A face is found several times, slightly shifted; something found only once or twice is mostly not one. */
const MIN_FINDS = 3;

let cascade: Promise<Float32Array> | undefined;

/**
 * The clearest upright frontal face; undefined if there is none. Uses Viola-Jones: a cascade of ever finer brightness
 * comparisons, where most places fail the first. See `frontal-face.md` for the origin of its numbers. A picture of
 * 100,000 pixels takes about 0.1 s, in chunks, so that other work isn't blocked.
 */
export async function findFace(picture: GreyPicture): Promise<Square | undefined> {
  cascade ??= readCascade();
  const numbers = await cascade;
  const sums = sumsOf(picture);
  const found: Square[] = [];
  const size = numbers[0] ?? 0;
  for (
    let scale = SMALLEST_PIXELS / size;
    size * scale < Math.min(picture.width, picture.height);
    scale *= GROWTH
  ) {
    const side = Math.floor(size * scale);
    const step = Math.max(1, Math.round(side * STEP));
    for (let top = 0; top + side <= picture.height; top += step) {
      for (let left = 0; left + side <= picture.width; left += step) {
        if (isFace(numbers, sums, { left, top, side }, scale)) found.push({ left, top, side });
      }
    }
    await setImmediate();
  }
  const [surest] = groupsOf(found).toSorted((a, b) => b.length - a.length);
  return surest && surest.length >= MIN_FINDS ? meanOf(surest) : undefined;
}

/** `width, height`, then for each stage its threshold and trees: rectangles with weights, a threshold and two votes. */
async function readCascade(): Promise<Float32Array> {
  const bytes = await readFile(path.join(import.meta.dirname, 'frontal-face.bin'));
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

/**
 * Integral images: for each pixel, the sum of all pixels above and to the left, and of their squares, so that any
 * rectangle takes four lookups.
 */
interface Sums {
  row: number;
  plain: Float64Array;
  squared: Float64Array;
}

function sumsOf({ pixels, width, height }: GreyPicture): Sums {
  const row = width + 1;
  const [plain, squared] = [new Float64Array(row * (height + 1)), new Float64Array(row * (height + 1))];
  for (let y = 0; y < height; y += 1) {
    let [sum, square] = [0, 0];
    for (let x = 0; x < width; x += 1) {
      const value = pixels[y * width + x] ?? 0;
      sum += value;
      square += value * value;
      const at = (y + 1) * row + x + 1;
      plain[at] = (plain[at - row] ?? 0) + sum;
      squared[at] = (squared[at - row] ?? 0) + square;
    }
  }
  return { row, plain, squared };
}

function area(
  sums: Float64Array,
  row: number,
  left: number,
  top: number,
  width: number,
  height: number,
): number {
  const above = top * row + left;
  const below = above + height * row;
  return (
    (sums[below + width] as number) -
    (sums[above + width] as number) -
    (sums[below] as number) +
    (sums[above] as number)
  );
}

/** Written without any calls or arrays: it runs some ten thousand times per picture. */
function isFace(numbers: Float32Array, { row, plain, squared }: Sums, place: Square, scale: number): boolean {
  const { left, top, side } = place;
  const perPixel = 1 / (side * side);
  const mean = area(plain, row, left, top, side, side) * perPixel;
  const variance = area(squared, row, left, top, side, side) * perPixel - mean * mean;
  const contrast = variance > 0 ? Math.sqrt(variance) : 1;
  let at = 2;
  while (at < numbers.length) {
    const stageThreshold = numbers[at] as number;
    let trees = numbers[at + 1] as number;
    let votes = 0;
    at += 2;
    for (; trees > 0; trees -= 1) {
      // The first number says whether the feature is tilted; in this cascade none is.
      let rectangles = numbers[at + 1] as number;
      let sum = 0;
      at += 2;
      for (; rectangles > 0; rectangles -= 1) {
        const x = left + Math.floor((numbers[at] as number) * scale + 0.5);
        const y = top + Math.floor((numbers[at + 1] as number) * scale + 0.5);
        const width = Math.floor((numbers[at + 2] as number) * scale + 0.5);
        const height = Math.floor((numbers[at + 3] as number) * scale + 0.5);
        sum += area(plain, row, x, y, width, height) * (numbers[at + 4] as number);
        at += 5;
      }
      const isBelow = sum * perPixel < (numbers[at] as number) * contrast;
      votes += numbers[isBelow ? at + 1 : at + 2] as number;
      at += 3;
    }
    if (votes < stageThreshold) return false;
  }
  return true;
}

/** Overlapping finds belong to one face. */
function groupsOf(found: Square[]): Square[][] {
  const groups: Square[][] = [];
  for (const square of found) {
    const group = groups.find((others) => others.some((other) => isSame(other, square)));
    if (group) group.push(square);
    else groups.push([square]);
  }
  return groups;
}

function isSame(a: Square, b: Square): boolean {
  const near = Math.min(a.side, b.side) * 0.35;
  const apart = (of: 'left' | 'top') => Math.abs(a[of] + a.side / 2 - b[of] - b.side / 2);
  return (
    apart('left') < near && apart('top') < near && Math.max(a.side, b.side) < Math.min(a.side, b.side) * 1.6
  );
}

function meanOf(group: Square[]): Square {
  const mean = (of: keyof Square) => group.reduce((sum, square) => sum + square[of], 0) / group.length;
  return { left: mean('left'), top: mean('top'), side: mean('side') };
}
