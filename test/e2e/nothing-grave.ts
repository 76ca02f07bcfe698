import { expect, type Page } from '@playwright/test';
import { graveFaults } from './axe.ts';

const looks = [
  { width: 360, height: 740, colorScheme: 'light' },
  { width: 360, height: 740, colorScheme: 'dark' },
  { width: 1440, height: 900, colorScheme: 'dark' },
  { width: 1440, height: 900, colorScheme: 'light' },
] as const;

/**
 * On a phone and on a wide screen, light and dark: nothing grave by axe, and nothing to scroll sideways. `picture` says where
 * each look is kept as a picture; `isTopOnly`: without frames, for one in which no script runs, so that axe could not look into it.
 */
export async function expectNothingGrave(
  page: Page,
  { picture, isTopOnly = false }: { picture?: (name: string) => string; isTopOnly?: boolean } = {},
): Promise<void> {
  const faults: string[] = [];
  for (const { colorScheme, ...size } of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.waitForFunction(standsStill);
    const grave = await graveFaults(page, { isTopOnly });
    const scrolled = await page.evaluate(() => document.documentElement.scrollWidth);
    faults.push(...grave.map((fault) => `${size.width} ${colorScheme}: ${fault}`));
    if (picture) await page.screenshot({ path: picture(`${size.width}-${colorScheme}`), fullPage: true });
    if (scrolled > size.width) faults.push(`${size.width}: ${scrolled} pixels wide`);
  }
  expect(faults).toEqual([]);
}

/** Nothing grave by axe as the page is shown, and on a phone nothing is wider than the screen. */
export async function expectSound(page: Page, what: string): Promise<void> {
  expect(await graveFaults(page), what).toEqual([]);
  const { width, height } = page.viewportSize() ?? { width: 1440, height: 900 };
  await page.setViewportSize({ width: 360, height: 740 });
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(excess, `${what} is wider than a phone`).toBe(0);
  await page.setViewportSize({ width, height });
}

/** A dialog that is just appearing is too pale to be read. What moves for ever, as what waits does, is none of it. */
function standsStill(): boolean {
  return document
    .getAnimations()
    .every(
      ({ playState, effect }) =>
        playState !== 'running' || effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY,
    );
}
