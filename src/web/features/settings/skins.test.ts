import { describe, expect, test } from 'vitest';
import { Appearance, worn } from '../../../contract/appearance.ts';
import { skinIds, skins } from '../../../contract/skins.ts';
import { shares } from '../../../contract/dress.ts';
import { contrast, readableOn } from '../../../contract/contrast.ts';
import { mixColours } from './mix-colours.ts';
import { contrastWarnings } from './contrast-warnings.ts';

/** Every color of a conversation in a skin, mixed as the page does. */
function coloursOf(skin: (typeof skinIds)[number], scheme: 'light' | 'dark') {
  const { accent } = skins[skin];
  const { background, bubble, text } = skins[skin][scheme];
  const given: Record<string, string> = { '--accent': accent, '--surface': background, '--text': text };
  const mixed = Object.entries(shares).map(([name, [one, share, other]]) => [
    name,
    mixColours(given[one] ?? '', share, given[other] ?? ''),
  ]);
  return {
    background,
    bubble,
    text,
    accent,
    ...(Object.fromEntries(mixed) as Record<keyof typeof shares, string>),
  };
}

describe.each(skinIds)('%s', (skin) => {
  test.each(['light', 'dark'] as const)('is readable in %s', (scheme) => {
    const colours = coloursOf(skin, scheme);
    const texts = ['text', '--text-soft', '--text-faint', '--accent-text'] as const;
    for (const text of texts)
      for (const under of ['background', 'bubble', '--hover', '--accent-soft'] as const)
        expect(contrast(colours[text], colours[under]), `${text} on ${under}`).toBeGreaterThanOrEqual(4.5);
    const label = readableOn(colours.accent);
    for (const fill of [colours.accent, mixColours(colours.accent, 88, readableOn(label))])
      expect(contrast(label, fill), `a label on ${fill}`).toBeGreaterThanOrEqual(4.5);
    for (const control of ['accent', '--control-border'] as const)
      expect(contrast(colours[control], colours.background), control).toBeGreaterThanOrEqual(3);
  });

  test('triggers no warning', () => {
    expect(contrastWarnings({ ...skins[skin], scheme: 'system' })).toEqual([]);
  });
});

test('unreadable colors are reported, in the schemes that are shown', () => {
  const { light, dark } = skins.parley;
  const pale = { accent: '#ffe600', light: { ...light, text: '#bbbbbb' }, dark };
  expect(contrastWarnings({ ...pale, scheme: 'light' }).map(({ what }) => what)).toEqual([
    'text',
    'bubble',
    'link',
    'accent',
  ]);
  expect(contrastWarnings({ ...pale, scheme: 'dark' })).toEqual([]);
  expect(contrastWarnings({ ...pale, scheme: 'system' })).toHaveLength(4);
});

test('a preset shows its own colors, and appearances saved before skins existed keep theirs', () => {
  const stored = { accent: '#e11d48', scheme: 'dark', radius: 4, position: 'left' };
  const before = Appearance.parse(stored);
  expect(worn(before)).toMatchObject({ ...stored, skin: 'own' });
  const preset = Appearance.parse({ ...stored, skin: 'harbour' });
  expect(worn(preset)).toEqual({
    ...before,
    skin: 'harbour',
    accent: skins.harbour.accent,
    light: skins.harbour.light,
    dark: skins.harbour.dark,
  });
});
