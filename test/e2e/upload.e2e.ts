import { expect, test, type Page } from '@playwright/test';
import { graveFaults } from './axe.ts';
import { startOwner } from './owner.ts';
import { Server } from './server.ts';

/** A large file over a slow connection: paused, the page reloaded, and resumed from there. */

let server: Server;
test.beforeAll(async () => {
  server = await Server.start();
});
test.afterAll(() => server.remove());

const sentence = 'The lighthouse keeper of Vestmark counts 4711 ships a year.\n';
const file = {
  name: 'lighthouse.txt',
  mimeType: 'text/plain',
  buffer: Buffer.from(sentence + `Nothing else is known of the harbour.\n`.repeat(60_000)),
};

async function openFiles(page: Page): Promise<void> {
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Start building' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await page.getByLabel('Username').fill('ada-uploads');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Start building' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Harbour desk');
  await page.getByRole('button', { name: 'Create agent' }).click();
  await page.getByRole('link', { name: 'Add knowledge' }).first().click();
  await page.getByRole('link', { name: /^Files/ }).click();
}

/** The same file from disk: a file chosen twice keeps its modification time. */
async function choose(page: Page): Promise<void> {
  await page
    .locator('input[type=file]')
    .first()
    .evaluate(
      (input: HTMLInputElement, { name, text }) => {
        const data = new DataTransfer();
        data.items.add(new File([text], name, { type: 'text/plain', lastModified: 1_700_000_000_000 }));
        input.files = data.files;
        input.dispatchEvent(new Event('change', { bubbles: true }));
      },
      { name: file.name, text: file.buffer.toString() },
    );
}

test('a large upload is paused, and after a reload resumes from the stored bytes', async ({ page }) => {
  await openFiles(page);
  const offsets: number[] = [];
  let isSlow = true;
  await page.route('**/v1/file/upload/*', async (route) => {
    const request = route.request();
    if (request.method() === 'PATCH') {
      offsets.push(Number(request.headers()['upload-offset']));
      // The third chunk is not sent before the stop.
      if (isSlow && offsets.length > 2) return;
    }
    await route.continue();
  });
  // Keyboard users find a button, which opens the browser's file picker.
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Drop files here or choose them' }).press('Enter');
  await chosen;
  expect(await graveFaults(page)).toEqual([]);
  await choose(page);
  await expect.poll(() => offsets.length).toBe(3);
  expect(offsets).toEqual([0, 262_144, 786_432]);
  await page.getByRole('button', { name: 'Pause lighthouse.txt' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Paused')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Progress of lighthouse.txt' })).toBeVisible();

  await page.reload();
  await expect(page.getByText('Choose the file again to continue')).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/eyJ|[Bb]earer/);
  isSlow = false;
  await choose(page);
  await expect(page).toHaveURL(/\/knowledge$/);
  expect(offsets[3]).toBe(786_432);
  await expect(page.getByText('Ready', { exact: true })).toBeVisible({ timeout: 60_000 });
  // The overlay shown only during a drag is not a tab stop.
  await page.getByRole('link', { name: 'Add knowledge' }).press('Tab');
  await expect(page.getByRole('searchbox', { name: 'Search knowledge' })).toBeFocused();

  await page.getByRole('link', { name: 'Home' }).first().click();
  await page.getByRole('link', { name: 'Open chat' }).first().click();
  await expect(page).toHaveURL(/\/chat\//);
  await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
  await page
    .getByRole('textbox', { name: /Message|Ask/ })
    .fill('How many ships does the lighthouse keeper count?');
  await expect(page.getByRole('button', { name: 'Send' })).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(page.getByText('4711 ships').first()).toBeVisible({ timeout: 30_000 });
});

test('any number of files can be chosen at once, and their tab is not closed by mistake', async ({
  page,
}) => {
  const { client, agentId, agentBase, signIn } = await startOwner(server, 'many');
  await signIn(page.context());
  await page.goto(`${agentBase}/knowledge/create/file`);
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/file?*', async (route) => {
    await held.promise;
    await route.continue();
  });
  const files = Array.from({ length: 23 }, (_, index) => ({
    name: `${index}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from(`${sentence}Pier ${index}.`),
  }));
  await page.locator('input[type=file]').first().setInputFiles(files);
  await expect(page.getByText('21 more files are waiting')).toBeVisible();
  const asked = page.waitForEvent('dialog');
  void page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  held.resolve();
  await expect(page).toHaveURL(/\/knowledge$/, { timeout: 60_000 });
  expect((await client.knowledge.list({ id: agentId })).allKnowledge).toHaveLength(23);
});

test('an upload that the server cannot take yet says so while it tries again', async ({ page }) => {
  const { agentBase, signIn } = await startOwner(server, 'again');
  await signIn(page.context());
  await page.goto(`${agentBase}/knowledge/create/file`);
  let isAway = true;
  await page.route('**/v1/file?*', (route) =>
    isAway
      ? route.fulfill({
          status: 503,
          contentType: 'application/problem+json',
          json: {
            status: 503,
            code: 'server/unavailable',
            detail: 'File storage cannot be reached right now.',
          },
        })
      : route.continue(),
  );
  const buffer = Buffer.from(sentence);
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer });
  await expect(page.getByRole('status').filter({ hasText: 'Uploading' })).toContainText('Trying again.');
  isAway = false;
  await expect(page).toHaveURL(/\/knowledge$/, { timeout: 60_000 });
});

test('a page without uploads does not load the upload code', async ({ page }) => {
  const scripts: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.push(response.text());
  });
  await page.goto(`${server.url}/chat`, { waitUntil: 'networkidle' });
  const loaded = await Promise.all(scripts);
  expect(loaded.length).toBeGreaterThan(2);
  expect(loaded.filter((text) => text.includes('Tus-Resumable'))).toEqual([]);
});
