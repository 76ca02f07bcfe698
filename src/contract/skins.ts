/** Typefaces of the page itself or the reader's system; nothing is loaded from elsewhere. */
export const fonts = ['inter', 'system', 'humanist', 'rounded', 'serif', 'mono'] as const;
export type Font = (typeof fonts)[number];

/** A conversation's colors in one scheme, as `#5b5bd6`. Everything else is mixed from these and the accent. */
export interface Palette {
  background: string;
  /** Behind what people write. */
  bubble: string;
  text: string;
}

export interface Skin {
  /** Launcher, buttons and links, in both schemes. */
  accent: string;
  light: Palette;
  dark: Palette;
  /** Suggested with these colors; an agent may choose others. */
  font: Font;
  radius: number;
}

/** In each skin and both schemes, text reaches 4.5:1 and controls 3:1. */
export const skins = {
  parley: {
    accent: '#5b5bd6',
    light: { background: '#ffffff', bubble: '#f4f2f0', text: '#1f1d1a' },
    dark: { background: '#1a1918', bubble: '#2a2826', text: '#efedea' },
    font: 'inter',
    radius: 8,
  },
  graphite: {
    accent: '#6b7380',
    light: { background: '#ffffff', bubble: '#eceef1', text: '#16181c' },
    dark: { background: '#101114', bubble: '#23262b', text: '#eceef1' },
    font: 'system',
    radius: 6,
  },
  harbour: {
    accent: '#1d7ea3',
    light: { background: '#f5fafc', bubble: '#dcecf2', text: '#0f252f' },
    dark: { background: '#0c1a21', bubble: '#1a3039', text: '#e2eff4' },
    font: 'humanist',
    radius: 12,
  },
  meadow: {
    accent: '#3f8a3a',
    light: { background: '#fbfcf5', bubble: '#e6efd5', text: '#1b2615' },
    dark: { background: '#121a0f', bubble: '#243020', text: '#e8f0df' },
    font: 'humanist',
    radius: 16,
  },
  terracotta: {
    accent: '#c1512f',
    light: { background: '#fdf7f1', bubble: '#f6e2d3', text: '#301c12' },
    dark: { background: '#1d130e', bubble: '#35231a', text: '#f6e9df' },
    font: 'serif',
    radius: 10,
  },
  newsprint: {
    accent: '#8a6a36',
    light: { background: '#faf7ee', bubble: '#ece5d3', text: '#211e17' },
    dark: { background: '#181611', bubble: '#2c2820', text: '#ece6d8' },
    font: 'serif',
    radius: 2,
  },
  orchid: {
    accent: '#b0459c',
    light: { background: '#fdf7fc', bubble: '#f4dff0', text: '#2b1127' },
    dark: { background: '#1b0f19', bubble: '#351f31', text: '#f7e8f4' },
    font: 'rounded',
    radius: 20,
  },
  cherry: {
    accent: '#d03a52',
    light: { background: '#fffafa', bubble: '#fbe0e3', text: '#2d0f14' },
    dark: { background: '#1a0e10', bubble: '#361d22', text: '#fae7ea' },
    font: 'system',
    radius: 14,
  },
  citrus: {
    accent: '#a8700b',
    light: { background: '#fffdf3', bubble: '#faecc2', text: '#292006' },
    dark: { background: '#19150a', bubble: '#312913', text: '#f8f0d5' },
    font: 'rounded',
    radius: 18,
  },
  terminal: {
    accent: '#2d8f59',
    light: { background: '#f3f8f4', bubble: '#dbeae0', text: '#0d2015' },
    dark: { background: '#080d0a', bubble: '#14221a', text: '#c6f3d5' },
    font: 'mono',
    radius: 0,
  },
} as const satisfies Record<string, Skin>;

export type SkinId = keyof typeof skins;
export const skinIds = Object.keys(skins) as [SkinId, ...SkinId[]];
