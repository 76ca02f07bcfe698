import type { Appearance } from './appearance.ts';
import { readableOn } from './contrast.ts';
import type { Font } from './skins.ts';

/** The part of an agent's appearance that a conversation or a page of it shows. */
export type Dress = Pick<Appearance, 'accent' | 'light' | 'dark' | 'font' | 'radius' | 'scheme'>;

const stacks: Record<Font, string> = {
  inter: "'Inter Variable', system-ui, sans-serif",
  system: 'system-ui, sans-serif',
  humanist: "Seravek, 'Gill Sans Nova', Ubuntu, Calibri, 'DejaVu Sans', sans-serif",
  rounded: "ui-rounded, 'Hiragino Maru Gothic ProN', Quicksand, 'Arial Rounded MT Bold', Nunito, sans-serif",
  serif: "Charter, 'Bitstream Charter', 'Sitka Text', Cambria, 'DejaVu Serif', serif",
  mono: "'JetBrains Mono Variable', ui-monospace, monospace",
};

/** How much of the first color goes into each mix. The contrast of the results is tested for every skin. */
export const shares = {
  '--text-soft': ['--text', 74, '--surface'],
  '--text-faint': ['--text', 68, '--surface'],
  '--control-border': ['--text', 50, '--surface'],
  '--border': ['--text', 14, '--surface'],
  '--hover': ['--text', 7, '--surface'],
  '--accent-text': ['--accent', 55, '--text'],
  '--accent-soft': ['--accent', 14, '--surface'],
} as const;

/**
 * The custom properties for an element with an agent's appearance. They follow the color scheme of the place they are
 * used in.
 */
export function tokensOf({ accent, light, dark, font, radius }: Dress): Record<`--${string}`, string> {
  const both = (part: keyof typeof light) => `light-dark(${light[part]}, ${dark[part]})`;
  const label = readableOn(accent);
  const mixed = Object.entries(shares).map(([name, [one, share, other]]) => [
    name,
    `color-mix(in oklab, var(${one}) ${share}%, var(${other}))`,
  ]);
  return {
    '--surface': both('background'),
    '--sunken': both('bubble'),
    '--text': both('text'),
    '--accent': accent,
    '--on-accent': label,
    // Moves away from the color of the label on it.
    '--accent-hover': `color-mix(in oklab, ${accent} 88%, ${readableOn(label)})`,
    '--radius': `${radius}px`,
    '--radius-card': `${radius}px`,
    '--font': stacks[font],
    ...(Object.fromEntries(mixed) as Record<`--${string}`, string>),
  };
}
