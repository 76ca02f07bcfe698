import { encode } from 'uqr';

/** The dark modules of a QR code of the given size. */
interface Qr {
  size: number;
  cells: readonly (readonly [x: number, y: number])[];
}

/** The white border in modules, without which scanners don't find it. */
const BORDER = 4;
/** Black on white in every scheme: many scanners support nothing else. */
export const qrColours = { dark: '#000000', light: '#ffffff' };

const PNG_PIXELS = 1024;

/** A scan yields the text; up to 15 % of the code may be missing. */
export function qrOf(text: string): Qr {
  const { size, data } = encode(text, { ecc: 'M', border: BORDER });
  const cells = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [[x, y] as const] : [])));
  return { size, cells };
}

/** All dark modules as a single path. */
export const pathOf = ({ cells }: Qr) => cells.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join('');

export function svgOf(qr: Qr): string {
  const { dark, light } = qrColours;
  const { size } = qr;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="${light}" d="M0 0h${size}v${size}H0z"/><path fill="${dark}" d="${pathOf(qr)}"/></svg>`;
}

/** In whole pixels per module, so that no edge is blurred. */
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
