import { expect, test } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { startProvider, type Provider } from '../stand-ins/provider.ts';
import { knowledgeIsRead } from './knowledge-read.ts';
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
    ...provider.environment,
    MODEL_PRICES: '{"openai/stand-in":{"input":"0.25","output":"2"}}',
  });
  owner = await startOwner(server);
});
test.afterAll(async () => {
  await server.remove();
  await provider.close();
});

test('chats become statistics of an agent, a person and the organization', async ({ browser }) => {
  const { client, organizationId, agentId } = owner;
  const context = await browser.newContext();
  await owner.signIn(context);
  const page = await context.newPage();

  await page.goto(`${owner.agentBase}/insights`);
  await expect(page.getByText('No one wrote in this period')).toBeVisible();
  await expectNothingGrave(page);

  await client.knowledge.create({
    id: agentId,
    organizationId,
    type: 'text',
    description: 'Prices',
    text: 'A ticket costs nine euros.',
  });
  await knowledgeIsRead(client, agentId);
  const { conversation } = await client.chat.create({ chatbotId: agentId });
  await client.chat.send({ id: conversation.id, text: 'What does a ticket cost?' });
  await client.chat.send({ id: conversation.id, text: 'And what does a ticket for dogs cost?' });

  await page.reload();
  const numbers = page.getByLabel('Numbers');
  await expect(numbers.getByText('Messages').locator('..')).toContainText('2');
  await expect(numbers.getByText('Answer rate').locator('..')).toContainText('100%');
  await expect(page.getByRole('region', { name: 'Top sources' }).getByRole('link')).toHaveText('Prices');
  await expectNothingGrave(page);

  await page.emulateMedia({ media: 'print' });
  await expect(numbers.getByText('Answer rate')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Knowledge' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Export CSV' })).toBeHidden();
  await page.emulateMedia({ media: 'screen' });

  await page.getByRole('link', { name: '24 hours' }).click();
  await expect(page).toHaveURL(/period=24h/);
  await expect(page.getByRole('link', { name: '24 hours' })).toHaveAttribute('aria-current', 'page');
  await page.getByText('Show as table').click();
  await expect(page.getByRole('table', { name: 'Messages over time' }).getByRole('row')).toHaveCount(25);

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(25);
  // The hour may have changed since.
  expect(lines.slice(-2).join()).toContain('"1","2","2","0","0"');

  await page.getByRole('link', { name: 'Whole organization' }).click();
  await expect(page.getByRole('heading', { name: 'Organization insights' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Agents' })).toContainText('Helper');
  await expectNothingGrave(page);

  await page.goto(`${owner.agentBase}/users`);
  await page.getByRole('table').getByRole('link').first().click();
  await expect(page.getByLabel('Numbers').getByText('Messages').locator('..')).toContainText('2');
  await expect(page.getByRole('region', { name: 'Countries' })).toContainText('Unknown');
  await expect(page.getByRole('region', { name: 'Hours of the week' })).toBeVisible();
  await page.getByRole('link', { name: '1 year' }).click();
  await expect(page).toHaveURL(/period=1y/);
  await expectNothingGrave(page);

  // An invalid period is ignored.
  await page.goto(`${owner.agentBase}/insights?period=forever`);
  await expect(page.getByRole('link', { name: '7 days' })).toHaveAttribute('aria-current', 'page');
  await owner.keepSession(context);
  await context.close();
});

test('a link shows the statistics without an account, until it is revoked', async ({ browser }) => {
  const { client, agentId } = owner;
  const { conversation } = await client.chat.create({ chatbotId: agentId });
  await client.chat.send({ id: conversation.id, text: 'What does a ticket cost for two?' });
  const context = await browser.newContext();
  await owner.signIn(context);
  const page = await context.newPage();
  await page.goto(`${owner.agentBase}/insights`);
  await expect(page.getByRole('row', { name: /Cost of answers/ })).toContainText(/\$0\.\d+/);
  await page.getByRole('button', { name: 'Create link' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('For the board');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const address = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  expect(address).toMatch(/\/insights\/[\w-]{43}$/);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('table', { name: 'Links to these numbers' })).toContainText('For the board');
  await expectNothingGrave(page);

  const stranger = await (await browser.newContext()).newPage();
  const [answer] = await Promise.all([stranger.waitForResponse(address), stranger.goto(address)]);
  expect(answer.headers()).toMatchObject({
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
  });
  await expect(stranger.getByRole('heading', { name: 'Helper' })).toBeVisible();
  await expect(stranger.getByLabel('Numbers').getByText('Messages').locator('..')).toContainText(/[13]/);
  await expect(stranger.getByText('Cost of answers')).toHaveCount(0);
  await stranger.getByRole('link', { name: '24 hours' }).click();
  await expect(stranger).toHaveURL(/period=24h/);
  await expectNothingGrave(stranger);

  await page.getByRole('button', { name: 'Remove For the board' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Link removed')).toBeVisible();
  await stranger.reload();
  await expect(stranger.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await expect(stranger.getByRole('heading', { name: 'Helper' })).toHaveCount(0);
  await expectNothingGrave(stranger);
  await context.close();
});

for (const locale of ['de-DE', 'ar-EG'])
  test(`a reader with ${locale} sees dates in the words and digits of the texts around them`, async ({
    browser,
  }) => {
    await owner.client.chat.create({ chatbotId: owner.agentId, text: 'What does a ticket cost?' });
    const context = await browser.newContext({ locale });
    await owner.signIn(context);
    const page = await context.newPage();
    await page.goto(`${server.url}/platform/${owner.organizationId}/agent`);
    await expect(page.getByText(/^Changed (now|\d+ (minute|second)s? ago)$/)).toBeVisible();
    await page.goto(`${owner.agentBase}/insights`);
    const hours = page.getByRole('region', { name: 'Hours of the week' });
    await expect(hours.getByRole('rowheader').first()).toHaveText('Mon');
    await owner.keepSession(context);
    await context.close();
  });
