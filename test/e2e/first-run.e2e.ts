import { expect, test, type Locator } from '@playwright/test';
import { Server, startSite, type Site } from './server.ts';

/** From an empty data folder to an agent that answers from one's own website: in under two minutes and eight decisions. */

const MOST_DECISIONS = 8;
const MOST_MS = 120_000;

// The journey is recorded with a picture of each step: `npx playwright show-trace` shows it.
test.use({ trace: 'on' });

let server: Server;
let site: Site;
let startedAt = 0;

test.beforeAll(async () => {
  site = await startSite();
  startedAt = Date.now();
  server = await Server.start({ SSRF_ALLOWED_HOSTS: site.host }, { isEmbedded: true });
});
test.afterAll(async () => {
  await server.remove();
  await site.close();
});

/** Counts every field filled in and every button or link chosen. */
class Newcomer {
  decisions = 0;

  async choose(what: Locator): Promise<void> {
    this.decisions += 1;
    await what.click();
  }

  async fill(what: Locator, text: string): Promise<void> {
    this.decisions += 1;
    await what.fill(text);
  }
}

test('a newcomer gets an agent that answers from their own website', async ({ page }) => {
  const newcomer = new Newcomer();
  await page.goto(server.url);
  await newcomer.choose(page.getByRole('button', { name: 'Start building' }));
  await newcomer.fill(page.getByLabel('Name', { exact: true }), 'Ada Lovelace');
  await expect(page.getByLabel('Username')).toHaveValue('ada-lovelace');
  await newcomer.choose(page.getByRole('button', { name: 'Continue' }));
  await newcomer.choose(page.getByRole('link', { name: 'Start building' }));
  await newcomer.fill(page.getByLabel('Name', { exact: true }), 'Library desk');
  await newcomer.fill(page.getByLabel('What should it know?'), `http://${site.host}/zlib_how.html`);
  await newcomer.choose(page.getByRole('button', { name: 'Create agent' }));
  await expect(page.getByText('Ready', { exact: true })).toBeVisible({ timeout: 60_000 });
  const chat = page.getByRole('complementary', { name: 'Try it' });
  await newcomer.fill(
    chat.getByRole('textbox', { name: /Message|Ask/ }),
    'What is CHUNK the buffer size for?',
  );
  await page.keyboard.press('Enter');
  await expect(chat.getByRole('region', { name: 'Conversation' })).toContainText(
    /feeding data to and pulling data from/,
    { timeout: 20_000 },
  );
  expect(newcomer.decisions).toBeLessThanOrEqual(MOST_DECISIONS);
  expect(Date.now() - startedAt).toBeLessThan(MOST_MS);
});
