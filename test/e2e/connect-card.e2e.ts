import { expect, test, type Page } from '@playwright/test';
import { startAccountService, type AccountService } from '../stand-ins/account-service.ts';
import { answer, startOpenApiService, type OpenApiService } from '../stand-ins/openapi-service.ts';
import { startProvider, type Provider, type ProviderRequest } from '../stand-ins/provider.ts';
import { graveFaults } from './axe.ts';
import { startOwner } from './owner.ts';
import { Server } from './server.ts';

/** An agent needs the person's own account at a service: they connect it in a window, and the answer continues. */

let server: Server;
let provider: Provider;
let service: OpenApiService;
let accounts: AccountService;
let agentId: string;

test.beforeAll(async () => {
  service = await startOpenApiService();
  accounts = await startAccountService();
  service.answer = ({ headers }, response) => {
    const person = accounts.personOf(headers['authorization']);
    answer(response, person === undefined ? 401 : 200, { person });
  };
  provider = await startProvider({
    pieces: [],
    of: ({ messages }: ProviderRequest) => {
      const last = messages.findLastIndex(({ role }) => role === 'user');
      const hasCalled = messages.slice(last).some(({ role }) => role === 'assistant');
      const list = { name: 'listOrders', arguments: {} };
      return hasCalled ? { pieces: ['All ', 'done.'] } : { pieces: [], calls: [list] };
    },
  });
  server = await Server.start({
    SEED_DEMO: 'off',
    SSRF_ALLOWED_HOSTS: `${service.host},${accounts.host}`,
    ...provider.environment,
  });
  const owner = await startOwner(server);
  const { client, organizationId } = owner;
  ({ agentId } = owner);
  const { tool } = await client.tool.create({ organizationId, agentId, name: 'Shop' });
  const { authorizationUrl, tokenUrl, clientId, clientSecret: secret } = accounts;
  await client.tool.update({
    id: tool.id,
    schema: { url: `${service.url}/openapi.json` },
    authentication: { type: 'authorizationCode', authorizationUrl, tokenUrl, clientId },
    secret,
  });
  await client.tool.update({ id: tool.id, operations: [{ id: 'listOrders', enabled: true }] });
});
test.afterAll(async () => {
  await server.remove();
  await provider.close();
  await accounts.close();
  await service.close();
});

async function askFor(page: Page) {
  await page.goto(`${server.url}/chat/${agentId}`);
  await page.getByRole('textbox', { name: /Message|Ask/ }).fill('Which orders do I have?');
  await page.keyboard.press('Enter');
  const card = page.getByRole('region', { name: /^Connect your / });
  await expect(card).toContainText(accounts.host);
  return card;
}

for (const width of [1440, 360])
  test(`an account is connected in a popup of the service, ${width} pixels wide`, async ({ page }, info) => {
    await page.setViewportSize({ width, height: 800 });
    const card = await askFor(page);
    expect(await graveFaults(page)).toEqual([]);
    const opened = page.waitForEvent('popup');
    await card.getByRole('button', { name: 'Connect' }).click();
    const popup = await opened;
    await expect(card).toContainText('Approve access in');
    await page.screenshot({ path: info.outputPath('card.png') });
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    await popup.getByRole('link', { name: 'Agree' }).click();
    await popup.waitForEvent('close');
    const conversation = page.getByRole('region', { name: 'Conversation' });
    await expect(conversation.locator('p', { hasText: 'All done.' })).toBeVisible();
    expect(service.requests.at(-1)?.url).toBe('/orders');
  });

test('a code from a detached window can be entered by hand, and the address keeps nothing', async ({
  page,
  context,
}, info) => {
  const card = await askFor(page);
  const opened = page.waitForEvent('popup');
  await card.getByRole('button', { name: 'Connect' }).click();
  await opened.then((popup) => popup.close());
  const href = await card.getByRole('link', { name: 'Open the page' }).getAttribute('href');
  const back = accounts.agree(href ?? '', 'somebody').address;
  // Another browser profile: its windows know nothing of each other.
  const elsewhere = await context.browser()?.newPage();
  if (!elsewhere) throw new Error('There is no browser.');
  await elsewhere.goto(back.href);
  const code = elsewhere.getByRole('textbox', { name: 'Code' });
  await expect(code).toBeVisible();
  expect(elsewhere.url()).toBe(`${server.url}/connected`);
  await elsewhere.screenshot({ path: info.outputPath('code.png') });
  await card.getByRole('textbox').fill(await code.inputValue());
  await card.getByRole('button', { name: 'Continue' }).click();
  await expect(
    page.getByRole('region', { name: 'Conversation' }).locator('p', { hasText: 'All done.' }),
  ).toBeVisible();
  await elsewhere.close();
});

test('“Not now” calls nothing', async ({ page }) => {
  const before = service.requests.length;
  const card = await askFor(page);
  await card.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByRole('region', { name: 'Conversation' })).toContainText('Not allowed');
  expect(service.requests).toHaveLength(before);
});
