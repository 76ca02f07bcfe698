import { expect, test, type BrowserContext, type Page } from '@playwright/test';
import type { InputOf } from '../../src/contract/route.ts';
import type { storefront as storefrontCalls } from '../../src/contract/storefront.ts';
import { startOpenApiService, type OpenApiService } from '../stand-ins/openapi-service.ts';
import { callingFirst, startProvider, type Provider } from '../stand-ins/provider.ts';
import { packed, watchForHarm, type Harm } from './hostile.ts';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/**
 * Hostile text in everything an agent offers, uses and is tested with: products, storefront, tools and their calls,
 * tests, versions, canned answers, topics of conversations; on every screen that shows it.
 */

let server: Server;
let provider: Provider;
let service: OpenApiService;
let owner: Owner;
/** The addresses of the public page, and of the numbers for anybody with the link. */
let storefrontUrl: string;
let numbersUrl: string;
let screens: string[];

const nothing: Harm = { executed: [], foreign: [], refused: [] };
const settled = { waitUntil: 'networkidle' } as const;
const [short = '', other = ''] = packed(60);
const [long = ''] = packed(300);
const QUESTION = 'Order two lamps.';

test.beforeAll(async () => {
  service = await startOpenApiService();
  const order = { name: 'createOrder', arguments: { body: { item: long, count: 2 } } };
  provider = await startProvider({ pieces: [], of: callingFirst(order, [long]) });
  server = await Server.start({
    SEED_DEMO: 'off',
    SSRF_ALLOWED_HOSTS: service.host,
    ...provider.environment,
  });
  owner = await startOwner(server);
  screens = [...(await makeOffers()), ...(await makeTools()), ...(await makeTests())];
});
test.afterAll(async () => {
  await server.remove();
  await provider.close();
  await service.close();
});

async function makeOffers(): Promise<string[]> {
  const { client, organizationId, agentId } = owner;
  const { product } = await client.product.create({ organizationId, agentId });
  const detailsConfig = { name: short, description: long, features: [short, other], isHighlighted: true };
  const paymentConfig = { kind: 'free', credits: 50 } as const;
  await client.product.update({ id: product.id, detailsConfig, paymentConfig, state: 'active' });
  const { storefront } = await client.storefront.create({ agentId });
  const items = [{ title: short, text: long }];
  const config: InputOf<typeof storefrontCalls.update>['config'] = {
    headline: short,
    tagline: other,
    seoTitle: short,
    seoDescription: other,
    sections: [
      { kind: 'about', title: short, text: `${long}\n\n[a](javascript:alert(1)) <${other}>` },
      { kind: 'features', title: short, items },
      { kind: 'questions', title: short, items: [{ question: short, answer: long }] },
      { kind: 'offers', title: other },
      { kind: 'chat', title: other, text: long },
    ],
  };
  await client.storefront.update({ id: storefront.id, config });
  await client.storefront.publish({ id: storefront.id });
  storefrontUrl = storefront.url;
  const { token } = await client.insightLink.create({ agentId, name: short });
  numbersUrl = `${server.url}/insights/${token}`;
  return [
    'pricing-plans',
    `pricing-plans/${product.id}`,
    'storefront',
    `storefront/${storefront.id}/edit`,
    'insights',
  ];
}

/** The service describes itself in hostile text, and answers a call with it. */
async function makeTools(): Promise<string[]> {
  const { client, organizationId, agentId } = owner;
  const { tool } = await client.tool.create({ organizationId, agentId, name: short });
  const body = {
    required: true,
    content: {
      'application/json': {
        schema: { type: 'object', properties: { item: { type: 'string', description: long } } },
      },
    },
  };
  const createOrder = { operationId: 'createOrder', summary: other, description: long, requestBody: body };
  const document = {
    openapi: '3.1.0',
    info: { title: short, description: long, version: '1' },
    servers: [{ url: service.url }],
    paths: { '/orders': { post: { ...createOrder, responses: {} } } },
  };
  await client.tool.update({ id: tool.id, schema: { text: JSON.stringify(document) } });
  await client.tool.update({ id: tool.id, operations: [{ id: 'createOrder', enabled: true }] });
  const { id } = (await client.chat.create({ chatbotId: agentId, title: short })).conversation;
  await client.chat.send({ id, text: `${QUESTION} ${long}` });
  return ['plugins', `plugins/tool/${tool.id}`, 'conversations', 'users', 'questions'];
}

async function makeTests(): Promise<string[]> {
  const { client, organizationId, agentId } = owner;
  const agent = { id: agentId, organizationId };
  const cases = [{ question: long, expectations: [{ kind: 'contains' as const, text: short }] }];
  const { testSet } = await client.testSet.create({ ...agent, name: short, cases });
  await client.testSet.run({ ...agent, testSetId: testSet.id });
  await client.version.annotate({ ...agent, number: 1, note: short });
  await client.inbox.createCanned({ organizationId, title: short, text: long });
  return ['settings/tests', `settings/tests/${testSet.id}`, 'settings/versions', 'settings/versions/1'];
}

async function signedIn(context: BrowserContext): Promise<Harm> {
  await owner.signIn(context);
  return watchForHarm(context, server.url);
}

test('the screens for offers, tools and tests run nothing written there', async ({ page, context }) => {
  const harm = await signedIn(context);
  let telling = 0;
  for (const screen of [
    ...screens.map((path) => `${owner.agentBase}/${path}`),
    `${owner.base}/inbox`,
    `${owner.base}/inbox/settings`,
    `${owner.base}/insights`,
  ]) {
    await page.goto(screen, settled);
    await expect(page.locator('main'), screen).toHaveCount(1);
    expect(new URL(page.url()).pathname, screen).toBe(new URL(screen).pathname);
    expect([screen, harm]).toEqual([screen, nothing]);
    if ((await shownOn(page)).includes(short)) telling += 1;
  }
  // They are displayed literally.
  expect(telling).toBeGreaterThan(7);
  await owner.keepSession(context);
});

test('an agent’s request and its answer are plain text to the person who allows it', async ({
  page,
  context,
}) => {
  const harm = await signedIn(context);
  await page.goto(`${server.url}/chat/${owner.agentId}`, settled);
  await page.getByRole('textbox', { name: /Message|Ask/ }).fill(QUESTION);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  const done = page.getByRole('list', { name: 'Steps taken for this answer' });
  await expect(done).toContainText('Done');
  expect(harm).toEqual(nothing);
  await owner.keepSession(context);
});

test('the public page, the offers and the statistics run nothing for a stranger', async ({
  page,
  context,
}) => {
  const harm = await watchForHarm(context, server.url);
  for (const url of [
    storefrontUrl,
    numbersUrl,
    `${server.url}/chat/${owner.agentId}`,
    `${server.url}/embed/${owner.agentId}`,
  ]) {
    await page.goto(url, settled);
    const shown = expect.poll(() => shownOn(page), url);
    await shown.toContain(url === storefrontUrl ? short : 'Helper');
    expect([url, harm]).toEqual([url, nothing]);
  }
});

/** Includes the contents of fields. */
async function shownOn(page: Page): Promise<string> {
  const fields = page.locator('input:visible, textarea:visible');
  const typed = await fields.evaluateAll((all) => all.map((field) => (field as HTMLInputElement).value));
  return [await page.locator('body').innerText(), ...typed].join('\n');
}
