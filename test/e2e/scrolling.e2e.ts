import { expect, test } from '@playwright/test';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** A page's scroll position on arriving, returning, and reloading. */

let server: Server;
let owner: Owner;

test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
  owner = await startOwner(server);
});
test.afterAll(() => server.remove());
test.beforeEach(({ context }) => owner.signIn(context));
test.afterEach(({ context }) => owner.keepSession(context));

test('a new page starts at its top; going back and reloading restore the position', async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 400 });
  await page.goto(`${owner.base}/account/profile`);
  await expect(page.getByRole('heading', { name: 'Colour mode' })).toBeVisible();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const scrolled = () => page.evaluate(() => scrollY);
  await expect.poll(scrolled).toBeGreaterThan(200);
  // The position is recorded a moment after it is reached: nobody scrolls and clicks within a tenth of a second.
  await page.waitForTimeout(500);
  await page.evaluate(() => document.querySelector<HTMLElement>('a[href$="/account/teams"]')?.click());
  await expect(page).toHaveURL(/\/account\/teams$/);
  await expect(page.getByRole('button', { name: 'Create team' })).toBeVisible();
  await expect.poll(scrolled).toBe(0);
  await page.goBack();
  await expect.poll(scrolled).toBeGreaterThan(200);
  await page.waitForTimeout(500);
  const place = await scrolled();
  await page.route(/\/v1\//, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    await route.continue();
  });
  await page.reload();
  await expect.poll(scrolled, 'though its parts come late').toBe(place);
  await page.unrouteAll({ behavior: 'wait' });
});

test('going back before the new page has rendered restores the position too', async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 400 });
  await page.goto(`${owner.base}/account/profile`);
  await expect(page.getByRole('heading', { name: 'Colour mode' })).toBeVisible();
  await page.evaluate(() => scrollTo(0, 600));
  const scrolled = () => page.evaluate(() => scrollY);
  await expect.poll(scrolled).toBe(600);
  await page.waitForTimeout(500);
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.evaluate(() => document.querySelector<HTMLElement>('a[href$="/account/teams"]')?.click());
  await expect(page.getByRole('heading', { name: 'Colour mode' }), 'something that waits').toHaveCount(0);
  await page.waitForTimeout(500);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Colour mode' })).toBeVisible();
  await expect.poll(scrolled).toBe(600);
  letGo();
});
