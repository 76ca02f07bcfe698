import * as z from 'zod';
import { PhotoAddress } from './common.ts';
import { fonts, skinIds, skins } from './skins.ts';

export const Colour = z.string().regex(/^#[0-9a-f]{6}$/i, 'Must be a colour like #5b5bd6.');

const Palette = z.strictObject({ background: Colour, bubble: Colour, text: Colour });

/** Typed tokens only, never CSS text: a skin can't smuggle styles or addresses into a page. */
export const Appearance = z.strictObject({
  /** A preset uses its own colors, whatever is set here; `own` uses the colors set here. */
  skin: z.enum([...skinIds, 'own']).default('own'),
  accent: Colour.default(skins.parley.accent),
  light: Palette.default(skins.parley.light),
  dark: Palette.default(skins.parley.dark),
  font: z.enum(fonts).default('inter'),
  /** An uploaded picture shown before the name instead of the photo. */
  logo: PhotoAddress.nullable().default(null),
  scheme: z.enum(['system', 'light', 'dark']).default('system'),
  radius: z.number().int().min(0).max(24).default(8),
  /** The corner of the site where the widget sits. */
  position: z.enum(['right', 'left']).default('right'),
});
export type Appearance = z.infer<typeof Appearance>;

/** With the effective colors, so that whoever draws it doesn't need to know any preset. */
export function worn(appearance: Appearance): Appearance {
  if (appearance.skin === 'own') return appearance;
  const { accent, light, dark } = skins[appearance.skin];
  return { ...appearance, accent, light, dark };
}
