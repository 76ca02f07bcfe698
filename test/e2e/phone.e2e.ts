import { expect, test } from '@playwright/test';
import { graveFaults } from './axe.ts';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** What a small screen has in sheets over the page. */

let server: Server;
let ada: Owner;

test.use({ viewport: { width: 360, height: 740 }, contextOptions: { reducedMotion: 'reduce' } });

test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
  ada = await startOwner(server);
});
test.afterAll(() => server.remove());
test.beforeEach(({ context }) => ada.signIn(context));
test.afterEach(({ context }) => ada.keepSession(context));

test('an agent is tried in a sheet, with the receipt of its answer', async ({ page }) => {
  await page.goto(`${ada.agentBase}/home`);
  const opener = page.getByRole('button', { name: 'Try it' });
  const sheet = page.getByRole('dialog', { name: 'Try it' });
  await opener.press('Enter');
  await sheet.getByRole('textbox').fill('When does the shop close?');
  await page.keyboard.press('Enter');
  await sheet.getByRole('button', { name: 'How this answer was made' }).click();
  await expect(sheet.getByRole('complementary', { name: 'How this answer was made' })).toBeVisible();
  expect(await graveFaults(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await sheet.getByRole('button', { name: 'Close the test chat' }).click();
  await expect(sheet).toHaveCount(0);
  await expect(opener).toBeFocused();

  // It is the same conversation when the sheet is opened again.
  await opener.press('Enter');
  await expect(sheet.getByText('When does the shop close?')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(opener).toBeFocused();
});
