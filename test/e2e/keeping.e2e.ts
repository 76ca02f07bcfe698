import { expect, test, type Page } from '@playwright/test';
import { startOwner } from './owner.ts';
import { Server } from './server.ts';
import { openShopAgent } from './shop-agent.ts';

/** An agent as a file, copied, deleted and restored, moved to another organization, and found among many. */

let server: Server;
test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
});
test.afterAll(() => server.remove());

/** `before`: the number of earlier answers in the existing conversation. */
async function expectAnswer(page: Page, before = 0): Promise<void> {
  const testChat = page.getByRole('complementary', { name: 'Try it' });
  await testChat.getByRole('textbox', { name: /Message|Ask/ }).fill('When is the shop open?');
  await page.keyboard.press('Enter');
  await expect(testChat.locator('p', { hasText: 'nine to five' })).toHaveCount(before + 1);
}

test('an agent is exported, deleted, restored, imported, copied and moved', async ({ page }, info) => {
  const agent = await openShopAgent(server, page);
  const agents = agent.replace(/\/agt_\w+$/, '');
  await page.goto(`${agent}/settings/danger`);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download file' }).click(),
  ]);
  const file = info.outputPath(saved.suggestedFilename());
  expect(file).toMatch(/\.zip$/);
  await saved.saveAs(file);

  const remove = async () => {
    await page.goto(`${agent}/settings/danger`);
    await page.getByRole('button', { name: 'Delete this agent' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Helper');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(agents);
  };
  await remove();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('main').getByRole('link', { name: /Helper/ })).toBeVisible();
  await remove();
  // The question no longer has its own history entry.
  await page.goBack();
  await expect(page).toHaveURL(`${agent}/settings/danger`);
  await page.goBack();
  await expect(page).toHaveURL(agents);
  await page.getByRole('link', { name: 'Deleted agents' }).click();
  await page.getByRole('button', { name: 'Restore Helper' }).click();
  await expect(page.getByRole('heading', { name: 'No deleted agents' })).toBeVisible();
  await page.goto(`${agent}/settings/danger`);
  await page.getByRole('button', { name: 'Delete permanently now' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('Helper');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(agents);

  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Import agent' }).click(),
  ]);
  await chooser.setFiles({ name: 'nothing.zip', mimeType: 'application/zip', buffer: Buffer.alloc(0) });
  await expect(page.getByText('The file is empty.')).toBeVisible();
  let isAway = true;
  await page.route('**/v1/file/upload', (route) =>
    isAway ? route.fulfill({ status: 503 }) : route.continue(),
  );
  await chooser.setFiles(file);
  await expect(page.getByRole('status').filter({ hasText: 'uploaded' })).toContainText('Trying again.');
  isAway = false;
  await page.waitForURL(/\/agent\/agt_\w+\/home/, { timeout: 30_000 });
  await expect(page.getByRole('heading', { name: 'Helper', level: 1 })).toBeVisible();
  await expectAnswer(page);

  await page.goto(page.url().replace('/home', '/settings/danger'));
  let duplicates = 0;
  page.on('request', (request) => (duplicates += Number(request.url().endsWith('/duplicate'))));
  await page.getByRole('button', { name: 'Duplicate' }).dblclick();
  await page.waitForURL(/\/agent\/agt_\w+\/home/, { timeout: 30_000 });
  await expect(page.getByRole('heading', { name: 'Helper (copy)', level: 1 })).toBeVisible();
  expect(duplicates).toBe(1);
  const copy = page.url();
  await expectAnswer(page);

  await page.getByRole('button', { name: /Switch organization/ }).click();
  await page.getByRole('menuitem', { name: 'New organization' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Other');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.waitForURL((url) => !url.href.startsWith(agents));
  await page.getByRole('button', { name: /Switch organization/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Other' }).locator('img')).toBeVisible();
  await page.goto(copy.replace('/home', '/settings/danger'));
  await page.getByLabel('Organization', { exact: true }).selectOption('Other');
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('Helper (copy)');
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
  await page.waitForURL((url) => url.pathname.endsWith('/home') && !url.href.startsWith(agents));
  await expect(page.getByRole('heading', { name: 'Helper (copy)', level: 1 })).toBeVisible();
  await expectAnswer(page, 1);
});

test('a long list can be searched, and going back restores the search', async ({ page }) => {
  const { client, organizationId, agentId, base, signIn } = await startOwner(server);
  await signIn(page.context());
  await client.chat.create({ chatbotId: agentId, text: 'Are you there?' });
  for (let number = 1; number <= 12; number += 1)
    await client.chatbot.create({ organizationId, name: `Branch ${number}` });
  await page.goto(`${base}/agent`);
  const cards = page.getByRole('main').getByRole('link', { name: /Branch|Helper/ });
  await expect(cards).toHaveCount(13);
  const search = page.getByRole('searchbox', { name: 'Search agents' });
  await search.fill('branch 12');
  await expect(cards).toHaveCount(1);
  await cards.click();
  await expect(page.getByRole('heading', { name: 'Branch 12', level: 1 })).toBeVisible();
  await page.goBack();
  await expect(search).toHaveValue('branch 12');
  await expect(cards).toHaveCount(1);
  await search.fill('nobody');
  await expect(page.getByText('No agents found')).toBeVisible();

  await page.goto(`${base}/insights`);
  await expect(page).toHaveTitle(/^Organization insights/);
  const rows = page.getByRole('table', { name: 'Agents' }).getByRole('row');
  await expect(rows.nth(1)).toContainText('Helper');
});
