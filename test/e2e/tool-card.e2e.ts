import { expect, test } from '@playwright/test';
import { startOpenApiService, type OpenApiService } from '../stand-ins/openapi-service.ts';
import { callingFirst, startProvider, type Provider } from '../stand-ins/provider.ts';
import { graveFaults } from './axe.ts';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** An agent asks before it acts: the person reads the real values, and allows or denies it. */

let server: Server;
let provider: Provider;
let service: OpenApiService;
let agentId: string;
let owner: Owner;

test.beforeAll(async () => {
  service = await startOpenApiService();
  const order = { name: 'createOrder', arguments: { body: { item: 'Lamp', count: 2 } } };
  provider = await startProvider({ pieces: [], of: callingFirst(order, ['All ', 'done.']) });
  server = await Server.start({
    SEED_DEMO: 'off',
    SSRF_ALLOWED_HOSTS: service.host,
    ...provider.environment,
  });
  owner = await startOwner(server);
  const { client, organizationId } = owner;
  ({ agentId } = owner);
  const { tool } = await client.tool.create({ organizationId, agentId, name: 'Shop' });
  await client.tool.update({ id: tool.id, schema: { url: `${service.url}/openapi.json` } });
  await client.tool.update({ id: tool.id, operations: [{ id: 'createOrder', enabled: true }] });
});
test.afterAll(async () => {
  await server.remove();
  await provider.close();
  await service.close();
});

const orders = () => service.requests.filter(({ method }) => method === 'POST').length;

test('a tool call asks for confirmation with its values, also after a reload, and runs once when allowed', async ({
  page,
}) => {
  await page.goto(`${server.url}/chat/${agentId}`);
  await page.getByRole('textbox', { name: /Message|Ask/ }).fill('Order two lamps.');
  await page.keyboard.press('Enter');
  const card = page.getByRole('region', { name: /^May I do this/ });
  await expect(card).toContainText('Lamp');
  await expect(card).toContainText('2');
  expect(orders()).toBe(0);
  await page.reload();
  await expect(card).toContainText('Lamp');
  expect(await graveFaults(page)).toEqual([]);
  await card.getByRole('button', { name: 'Allow', exact: true }).dblclick();
  const conversation = page.getByRole('region', { name: 'Conversation' });
  await expect(conversation.locator('p', { hasText: 'All done.' })).toBeVisible();
  await expect(conversation.getByRole('list', { name: 'Steps taken for this answer' })).toContainText('Done');
  expect(orders()).toBe(1);
});

test('a denied call is not made', async ({ page }) => {
  const before = orders();
  await page.goto(`${server.url}/chat/${agentId}`);
  await page.getByRole('textbox', { name: /Message|Ask/ }).fill('Order two lamps.');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Don’t allow' }).press('Enter');
  const conversation = page.getByRole('region', { name: 'Conversation' });
  await expect(conversation.locator('p', { hasText: 'All done.' })).toBeVisible();
  await expect(conversation).toContainText('Not allowed');
  // Keyboard users continue in the composer.
  await expect(page.getByRole('textbox', { name: /Message|Ask/ })).toBeFocused();
  expect(orders()).toBe(before);
});

test('answering the first of two confirmations by keyboard moves focus to the second', async ({ page }) => {
  const { script } = provider;
  const call = { name: 'createOrder', arguments: { body: { item: 'Lamp', count: 1 } } };
  const other = { name: 'createOrder', arguments: { body: { item: 'Bulb', count: 3 } } };
  provider.script = {
    pieces: [],
    of: (request) => {
      const first = callingFirst(call, ['All ', 'done.'])(request);
      return first.calls ? { ...first, calls: [call, other] } : first;
    },
  };
  await page.goto(`${server.url}/chat/${agentId}`);
  await page.getByRole('textbox', { name: /Message|Ask/ }).fill('Order a lamp and bulbs.');
  await page.keyboard.press('Enter');
  const cards = page.getByRole('region', { name: /^May I do this/ });
  await expect(cards).toHaveCount(2);
  await cards.first().getByRole('button', { name: 'Allow', exact: true }).press('Enter');
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText('Bulb');
  await expect(cards.getByRole('button', { name: 'Allow', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  const conversation = page.getByRole('region', { name: 'Conversation' });
  await expect(conversation.locator('p', { hasText: 'All done.' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: /Message|Ask/ })).toBeFocused();
  provider.script = script;
});

test('a pending call can no longer be allowed after a new message', async ({ page }) => {
  await page.goto(`${server.url}/chat/${agentId}`);
  const field = page.getByRole('textbox', { name: /Message|Ask/ });
  await field.fill('Order two lamps.');
  await page.keyboard.press('Enter');
  const card = page.getByRole('region', { name: /^May I do this/ });
  await expect(card).toHaveCount(1);
  await field.fill('Order three instead.');
  await page.keyboard.press('Enter');
  const conversation = page.getByRole('region', { name: 'Conversation' });
  await expect(conversation).toContainText('Order something Not answered');
  await expect(card).toHaveCount(1);
});

test('a member testing an agent sees its calls in the receipt of the answer', async ({ page, context }) => {
  await owner.signIn(context);
  await page.goto(owner.agentBase);
  await page.getByRole('textbox', { name: /Message|Ask/ }).fill('Order two lamps.');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.getByRole('button', { name: 'How this answer was made' }).click();
  const receipt = page.getByRole('group', { name: 'How this answer was made' });
  await expect(receipt).toContainText('Tool calls');
  await expect(receipt).toContainText('Shop, createOrder');
  await expect(receipt).toContainText('Dry run: not called');
});
