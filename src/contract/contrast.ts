/** Black or white, whichever is more readable on a color like `#5b5bd6` (WCAG contrast). */
export function readableOn(colour: string): string {
  // The luminance at which both contrasts are equal: sqrt(1.05 * 0.05) - 0.05.
  return luminance(colour) > 0.179 ? '#000000' : '#ffffff';
}

/** From 1 to 21 (WCAG contrast). */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
