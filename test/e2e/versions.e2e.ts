import { expect, test, type Page } from '@playwright/test';
import { graveFaults } from './axe.ts';
import { Server } from './server.ts';
import { openShopAgent } from './shop-agent.ts';

/** Draft and live: saving, trying, testing, publishing and reverting, as an owner does it. */

let server: Server;
test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
});
test.afterAll(() => server.remove());

async function saveFallback(page: Page, text: string): Promise<void> {
  await page.getByLabel('Fallback message').fill(text);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
}

const publishing = (page: Page) => page.getByRole('region', { name: 'Publishing' });

test('a draft is tried, tested, published and reverted', async ({ page, browser }) => {
  const agent = await openShopAgent(server, page);
  const id = /agt_\w+/.exec(agent)?.[0] ?? '';
  const visitor = await (await browser.newContext()).newPage();
  const ask = async (question: string) => {
    await visitor.goto(`${server.url}/chat/${id}`);
    await visitor.getByRole('textbox', { name: /Message|Ask/ }).fill(question);
    await visitor.keyboard.press('Enter');
  };

  await page.goto(`${agent}/settings/instructions`);
  await expect(publishing(page)).toContainText('every save is live immediately');
  await page.getByRole('button', { name: 'Start from a template' }).click();
  await page.getByRole('menuitem', { name: 'Customer support' }).click();
  await expect(page.getByLabel('Instructions', { exact: true })).toHaveValue(/\{\{organization\.name\}\}/);
  await page.getByRole('button', { name: 'Insert variable' }).click();
  await page.getByRole('menuitem', { name: /user\.name/ }).click();
  await saveFallback(page, 'Ask Bob.');
  await publishing(page).getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('dialog').getByLabel('Note').fill('The first one');
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  // Nothing is left to publish, so nothing is shown.
  await expect(publishing(page)).toHaveCount(0);

  await saveFallback(page, 'Ask Eve.');
  await expect(publishing(page)).toContainText('Version 3 is a draft. Version 2 is live.');
  await ask('How do I repair a bicycle?');
  await expect(visitor.locator('p', { hasText: 'Ask Bob.' })).toBeVisible();
  const testChat = page.getByRole('complementary', { name: 'Try it' });
  await testChat.getByRole('textbox', { name: /Message|Ask/ }).fill('How do I repair a bicycle?');
  await page.keyboard.press('Enter');
  await expect(testChat.locator('p', { hasText: 'Ask Eve.' })).toBeVisible();

  await publishing(page).getByRole('link', { name: 'See changes' }).click();
  const change = page.getByRole('region', { name: 'Fallback message' });
  await expect(change.locator('del')).toHaveText(/Bob/);
  await expect(change.locator('ins')).toHaveText(/Eve/);
  expect(await graveFaults(page)).toEqual([]);

  await page.goto(`${agent}/settings/tests`);
  await page.getByRole('button', { name: 'New test set' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Basics');
  await page.getByRole('dialog').getByRole('button', { name: 'New test set' }).click();
  await page.getByRole('button', { name: 'Add question' }).click();
  await page.getByLabel('Question', { exact: true }).fill('How do I repair a bicycle?');
  await page.getByRole('button', { name: 'Add an expectation' }).click();
  await page.getByLabel('Value of expectation 1').fill('Ask Eve');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('cell', { name: 'Contains: Ask Eve' })).toBeVisible();
  const condition = page.getByRole('switch', { name: 'Required to publish' });
  await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok()),
    condition.click(),
  ]);
  await expect(condition).toBeChecked();
  await page.goto(`${agent}/settings/versions`);
  await page
    .getByRole('row', { name: /Version 3/ })
    .getByRole('button')
    .click();
  await page.getByRole('menuitem', { name: 'Publish' }).click();
  await expect(page.getByRole('dialog')).toContainText('“Basics” has not been run on this version');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Publish' })).toBeDisabled();
  await page.getByRole('dialog').getByRole('link', { name: 'Open the tests' }).click();
  await page.getByRole('link', { name: 'Basics' }).click();
  await page.getByRole('button', { name: 'Run on the draft' }).click();
  await expect(page.getByText('1 of 1 passed')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('group', { name: 'Answer of version 3' })).toContainText('Ask Eve.');
  await expect(page.getByRole('button', { name: 'Run on the draft' })).toBeEnabled();
  expect(await graveFaults(page)).toEqual([]);

  await page.goto(`${agent}/settings/versions`);
  await page
    .getByRole('row', { name: /Version 3/ })
    .getByRole('button')
    .click();
  await page.getByRole('menuitem', { name: 'Publish' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByRole('row', { name: /Version 3/ })).toContainText('Live');
  expect(await graveFaults(page)).toEqual([]);
  await ask('And a car?');
  await expect(visitor.locator('p', { hasText: 'Ask Eve.' })).toBeVisible();

  await page
    .getByRole('row', { name: /Version 2/ })
    .getByRole('button')
    .click();
  await page.getByRole('menuitem', { name: 'Restore' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByRole('row', { name: /Version 4/ })).toContainText('Restored from version 2.');

  await page.goto(`${server.url}/chat/${id}?version=2`);
  await page.waitForURL(/\/chat\/cnv_/);
  await expect(page.getByText('You are trying version 2.')).toBeVisible();
  await visitor.goto(`${server.url}/chat/${id}?version=2`);
  await expect(visitor.getByText('This could not be found.')).toBeVisible();
});
