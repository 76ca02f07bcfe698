import { expect, test } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { startProvider, type Provider } from '../provider.ts';
import { expectNothingGrave } from './nothing-grave.ts';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** Somebody chats, and a member sees it in numbers, by period, and as a file. */

let server: Server;
let provider: Provider;
let owner: Owner;

test.beforeAll(async () => {
  provider = await startProvider({ pieces: ['Nine euros [1].'] });
  server = await Server.start({
    SEED_DEMO: 'off',
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: provider.baseUrl,
    OPENAI_MODEL: 'stand-in',
  });
  owner = await startOwner(server);
});
test.afterAll(async () => {
  await server.remove();
  await provider.close();
});

test('chats become numbers of an agent, of a person and of the organization', async ({ browser }) => {
  const { client, organizationId, agentId } = owner;
  const context = await browser.newContext();
  await owner.signIn(context);
  const page = await context.newPage();

  await page.goto(`${owner.agentBase}/insights`);
  await expect(page.getByText('Nobody has written in this period')).toBeVisible();
  await expectNothingGrave(page);

  await client.knowledge.create({
    id: agentId,
    organizationId,
    type: 'text',
    description: 'Prices',
    text: 'A ticket costs nine euros.',
  });
  await expect
    .poll(async () => (await client.knowledge.list({ id: agentId })).allKnowledge[0]?.progress.state)
    .toBe('ready');
  const { conversation } = await client.chat.create({ chatbotId: agentId });
  await client.chat.send({ id: conversation.id, text: 'What does a ticket cost?' });
  await client.chat.send({ id: conversation.id, text: 'And what does a ticket for dogs cost?' });

  await page.reload();
  const numbers = page.getByLabel('Numbers');
  await expect(numbers.getByText('Messages').locator('..')).toContainText('2');
  await expect(numbers.getByText('Answer rate').locator('..')).toContainText('100%');
  await expect(page.getByRole('region', { name: 'What answers rest on' }).getByRole('link')).toHaveText(
    'Prices',
  );
  await expectNothingGrave(page);

  await page.getByRole('link', { name: '24 hours' }).click();
  await expect(page).toHaveURL(/period=24h/);
  await expect(page.getByRole('link', { name: '24 hours' })).toHaveAttribute('aria-current', 'page');
  await page.getByText('Show as a table').click();
  await expect(page.getByRole('table', { name: 'Messages over time' }).getByRole('row')).toHaveCount(25);

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(25);
  expect(lines.at(-1)).toContain('"1","2","2","0","0"');

  await page.getByRole('link', { name: 'Whole organization' }).click();
  await expect(page.getByRole('heading', { name: 'Insights of the organization' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Agents' })).toContainText('Helper');
  await expectNothingGrave(page);

  await page.goto(`${owner.agentBase}/users`);
  await page.getByRole('table').getByRole('link').first().click();
  await expect(page.getByLabel('Numbers').getByText('Messages').locator('..')).toContainText('2');
  await page.getByRole('link', { name: '1 year' }).click();
  await expect(page).toHaveURL(/period=1y/);
  await expectNothingGrave(page);

  // What is no period is not one.
  await page.goto(`${owner.agentBase}/insights?period=forever`);
  await expect(page.getByRole('link', { name: '7 days' })).toHaveAttribute('aria-current', 'page');
  await context.close();
});
