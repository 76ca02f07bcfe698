import { expect, type Page } from '@playwright/test';
import { graveFaults } from './axe.ts';

const looks = [
  { width: 360, height: 740, colorScheme: 'light' },
  { width: 360, height: 740, colorScheme: 'dark' },
  { width: 1440, height: 900, colorScheme: 'dark' },
  { width: 1440, height: 900, colorScheme: 'light' },
] as const;

/**
 * On a phone and on a wide screen, light and dark: nothing grave from axe, and no horizontal scrolling. `picture` names
 * the screenshot for each variant; `isTopOnly`: without frames, for one without scripts, which axe can't inspect.
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

/** Nothing grave from axe on the current page, and on a phone nothing wider than the screen. */
export async function expectSound(page: Page, what: string): Promise<void> {
  expect(await graveFaults(page), what).toEqual([]);
  const { width, height } = page.viewportSize() ?? { width: 1440, height: 900 };
  await page.setViewportSize({ width: 360, height: 740 });
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(excess, `${what} is wider than a phone`).toBe(0);
  await page.setViewportSize({ width, height });
}

/** A dialog that is still appearing is too pale to read. Endless animations, such as loading indicators, don't count. */
function standsStill(): boolean {
  return document
    .getAnimations()
    .every(
      ({ playState, effect }) =>
        playState !== 'running' || effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY,
    );
}
