import type { Appearance } from '../../../contract/appearance.ts';
import { shares } from '../../../contract/dress.ts';
import { contrast } from '../../../contract/contrast.ts';
import { mixColours } from './mix-colours.ts';

const TEXT = 4.5;
const CONTROL = 3;

interface ContrastWarning {
  what: 'text' | 'bubble' | 'link' | 'accent';
  scheme: 'light' | 'dark';
  ratio: number;
}

type Colours = Pick<Appearance, 'accent' | 'light' | 'dark'>;

/** What many people could not read or see, in the schemes that are shown. */
export function contrastWarnings({ scheme, ...colours }: Colours & Pick<Appearance, 'scheme'>) {
  const schemes = scheme === 'system' ? (['light', 'dark'] as const) : [scheme];
  return schemes.flatMap((one) => warningsIn(colours, one));
}

function warningsIn({ accent, ...palettes }: Colours, scheme: 'light' | 'dark'): ContrastWarning[] {
  const { background, bubble, text } = palettes[scheme];
  const link = mixColours(accent, shares['--accent-text'][1], text);
  const ratios = [
    { what: 'text', least: TEXT, ratio: contrast(text, background) },
    { what: 'bubble', least: TEXT, ratio: contrast(text, bubble) },
    { what: 'link', least: TEXT, ratio: contrast(link, background) },
    { what: 'accent', least: CONTROL, ratio: contrast(accent, background) },
  ] as const;
  return ratios
    .filter(({ ratio, least }) => ratio < least)
    .map(({ what, ratio }) => ({ what, scheme, ratio }));
}
