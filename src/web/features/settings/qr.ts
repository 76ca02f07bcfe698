import { encode } from 'uqr';

/** The dark units of a QR code in a square of so many. */
interface Qr {
  size: number;
  cells: readonly (readonly [x: number, y: number])[];
}

/** Units of white around it, without which readers do not find it. */
const BORDER = 4;
/** Black on white in every scheme: many readers know it no other way. */
export const qrColours = { dark: '#000000', light: '#ffffff' };

const PNG_PIXELS = 1024;

/** What a reader makes of it is the text; up to 15 % of it may be torn off. */
export function qrOf(text: string): Qr {
  const { size, data } = encode(text, { ecc: 'M', border: BORDER });
  const cells = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [[x, y] as const] : [])));
  return { size, cells };
}

/** All dark units as one path. */
export const pathOf = ({ cells }: Qr) => cells.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join('');

export function svgOf(qr: Qr): string {
  const { dark, light } = qrColours;
  const { size } = qr;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="${light}" d="M0 0h${size}v${size}H0z"/><path fill="${dark}" d="${pathOf(qr)}"/></svg>`;
}

/** In whole pixels for each unit, so that no edge is blurred. */
export function pngOf({ size, cells }: Qr): Promise<Blob | null> {
  const scale = Math.ceil(PNG_PIXELS / size);
  const canvas = document.createElement('canvas');
  canvas.width = size * scale;
  canvas.height = size * scale;
  const context = canvas.getContext('2d');
  if (!context) return Promise.resolve(null);
  context.scale(scale, scale);
  context.fillStyle = qrColours.light;
  context.fillRect(0, 0, size, size);
  context.fillStyle = qrColours.dark;
  for (const [x, y] of cells) context.fillRect(x, y, 1, 1);
  return new Promise((resolve) => canvas.toBlob(resolve));
}
