import { expect, test } from '@playwright/test';
import { shopDocument, startOpenApiService, type OpenApiService } from '../stand-ins/openapi-service.ts';
import { expectNothingGrave } from './nothing-grave.ts';
import { startOwner } from './owner.ts';
import { Server } from './server.ts';

/** A service becomes a tool: added by its document, selected operation by operation, given its key, and removed again. */

let server: Server;
let shop: OpenApiService;
test.beforeAll(async () => {
  shop = await startOpenApiService();
  server = await Server.start({ SEED_DEMO: 'off', SSRF_ALLOWED_HOSTS: shop.host });
});
test.afterAll(async () => {
  await server.remove();
  await shop.close();
});

test('an owner turns a service into a tool, tests it and removes it', async ({ page }) => {
  const { client, agentId, agentBase, signIn } = await startOwner(server);
  await signIn(page.context());
  await page.goto(`${agentBase}/plugins`);
  await expect(page.getByRole('heading', { name: 'This agent has no tools yet' })).toBeVisible();
  await expectNothingGrave(page);
  await page.getByRole('link', { name: 'Add a tool or channel' }).click();
  await expectNothingGrave(page);
  await page.getByRole('link', { name: /OpenAPI service/ }).click();

  await page.getByLabel('Name').fill('Shop');
  await page.getByLabel('Address of the document').fill(`${shop.url}/orders`);
  await page.getByRole('button', { name: 'Add a tool' }).click();
  await expect(page.getByText(/OpenAPI/).last()).toBeVisible();
  await expect(page.getByLabel('Address of the document')).toHaveAttribute('aria-invalid', 'true');
  // A rejected document leaves no tool behind.
  expect((await client.tool.list({ agentId })).tools).toEqual([]);
  await expectNothingGrave(page);
  await page.getByLabel('Address of the document').fill(`${shop.url}/openapi.json`);
  await page.getByRole('button', { name: 'Add a tool' }).click();
  await expect(page.getByRole('heading', { name: 'Shop', level: 1 })).toBeVisible();
  expect((await client.tool.list({ agentId })).tools).toHaveLength(1);

  await page.getByRole('button', { name: 'Turn on all read-only ones' }).click();
  await expect(page.getByText('4 operations, 2 on')).toBeVisible();
  await page.getByRole('switch', { name: 'The agent can use createOrder' }).click({ force: true });
  await expect(page.getByRole('switch', { name: 'The agent can use createOrder' })).toBeChecked();
  await page.getByLabel('Policy of createOrder').selectOption('Allow');
  await page.getByLabel('Policy of cancelOrder').selectOption('Never');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Look at an order' })
    .getByRole('button', { name: '1 parameter' })
    .click();
  await expect(page.getByRole('list', { name: 'Parameters of getOrder' })).toContainText('in the path');
  await expectNothingGrave(page);
  await page.getByLabel('Operations shown').selectOption('On');
  await page.getByRole('searchbox', { name: 'Search operations' }).fill('order something');
  await expect(page.getByRole('switch')).toHaveCount(1);
  await page.reload();
  await expect(page.getByText('4 operations, 3 on')).toBeVisible();
  await expect(page.getByLabel('Policy of createOrder')).toHaveValue('allow');
  await expect(page.getByLabel('Policy of cancelOrder')).toHaveValue('deny');

  await page.getByRole('tab', { name: 'Connection' }).click();
  await page.getByLabel('Authentication').selectOption('API key');
  await page.getByLabel('Key name').fill('X-Api-Key');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('This is required.')).toBeVisible();
  await page.getByRole('link', { name: 'Tools & plugins' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByLabel('Key', { exact: true }).fill('key-canary-1');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('One is stored and never shown.')).toBeVisible();
  await expect(page.getByLabel('Key', { exact: true })).toHaveValue('');
  await page.getByLabel('Server', { exact: true }).selectOption('Another address');
  await page.getByLabel('Server address').fill(`${shop.url}/elsewhere`);
  await expect(page.getByText('Enter it again')).toBeVisible();
  await expectNothingGrave(page);
  await page.getByLabel('Server', { exact: true }).selectOption({ index: 0 });
  await page.getByRole('button', { name: 'Read again' }).click();
  await expect(page.getByText('Document read')).toBeVisible();

  await page.getByRole('tab', { name: 'Try it' }).click();
  await page.getByLabel('Operation', { exact: true }).selectOption('POST /orders · Order something');
  // A body's contents are described beside it.
  await expect(page.getByText('{ "item": string, "count"?: integer }')).toBeVisible();
  await page.getByLabel('Body').fill('{"item":');
  await expect(page.getByText('This is not valid JSON.')).toBeVisible();
  await page.getByLabel('Body').fill('{"item":"pen","count":2}');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Status 201')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Response' })).toContainText('POST /orders');
  // The service received the key; the person testing it doesn't see it.
  expect(shop.requests.at(-1)?.headers['x-api-key']).toBe('key-canary-1');
  await expect(page.getByRole('region', { name: 'Request' })).toContainText('x-api-key: •••');
  await expectNothingGrave(page);
  await page.getByLabel('Operation', { exact: true }).selectOption('GET /orders/{id} · Look at an order');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Nothing was sent.')).toBeVisible();
  await page.getByRole('textbox', { name: 'id', exact: true }).fill('a-12');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('region', { name: 'Response' })).toContainText('GET /orders/a-12');

  await page.getByRole('tab', { name: 'Calls' }).click();
  await expect(page.getByRole('row', { name: /Look at an order.*Done/ })).toBeVisible();
  await page.getByRole('button', { name: /Order something/ }).click();
  await expect(page.getByRole('region', { name: 'Arguments' })).toContainText('"item": "pen"');
  await expectNothingGrave(page);

  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Book shop');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Book shop', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('This tool is paused')).toBeVisible();
  await expectNothingGrave(page);
  await page.getByRole('link', { name: 'Tools & plugins' }).first().click();
  const row = page.getByRole('row', { name: /Book shop/ });
  await expect(row).toContainText('3 on');
  await row.getByRole('switch').click({ force: true });
  await expect(row).toContainText('Active');
  await expectNothingGrave(page);

  await row.getByRole('link').click();
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Delete tool' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('Book shop');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { name: 'This agent has no tools yet' })).toBeVisible();
});

test('a service that needs authentication says so: its tool waits for the key, and every page shows that', async ({
  page,
}) => {
  const { agentBase, signIn } = await startOwner(server, 'kim');
  await signIn(page.context());
  const securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'X-Shop-Key' } };
  const { paths, components, ...rest } = shopDocument(shop.url) as { paths: object; components: object };
  const content = { 'multipart/form-data': { schema: { type: 'object' } } };
  const upload = { post: { operationId: 'uploadReceipt', requestBody: { required: true, content } } };
  const document = {
    ...rest,
    security: [{ key: [] }],
    paths: { ...paths, '/receipts': upload },
    components: { ...components, securitySchemes },
  };
  await page.goto(`${agentBase}/plugins/create?kind=openapi`);
  await page.getByLabel('Name').fill('Closed shop');
  await page.getByText('Paste', { exact: true }).click();
  await page.getByLabel('Document', { exact: true }).fill(JSON.stringify(document));
  await page.getByRole('button', { name: 'Add a tool' }).click();
  await expect(page.getByText(/this tool has no credentials yet/)).toBeVisible();
  await expect(page.getByText('1 operation in the document cannot be called: uploadReceipt.')).toBeVisible();
  await expectNothingGrave(page);
  await page.goto(`${agentBase}/home`);
  await page.getByRole('link', { name: 'One tool needs credentials before it can be called.' }).click();
  await expect(page.getByRole('row', { name: /Closed shop/ })).toContainText('No credentials yet');
  await expectNothingGrave(page);
  await page.getByRole('link', { name: 'Closed shop' }).click();
  await page.getByRole('tab', { name: 'Connection' }).click();
  await expect(page.getByLabel('Key name')).toHaveValue('X-Shop-Key');
  await page.getByLabel('Key', { exact: true }).fill('key-canary-2');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/this tool has no credentials yet/)).toHaveCount(0);
  await page.getByRole('tab', { name: 'Try it' }).click();
  await page.getByLabel('Operation', { exact: true }).selectOption('GET /orders · List the orders');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Status 200')).toBeVisible();
  expect(shop.requests.at(-1)?.headers['x-shop-key']).toBe('key-canary-2');
});

test('a document is uploaded or pasted, and built-in tools need none', async ({ page }) => {
  const { client, agentId, agentBase, signIn } = await startOwner(server, 'eve');
  await signIn(page.context());
  const text = JSON.stringify(shopDocument(shop.url));
  await page.goto(`${agentBase}/plugins/create?kind=openapi`);
  await page.getByLabel('Name').fill('From a file');
  await page.getByText('File', { exact: true }).click();
  await page.getByRole('button', { name: 'Add a tool' }).click();
  await expect(page.getByText('JSON or YAML file is not valid.')).toBeVisible();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'shop.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await expect(page.getByText(/shop\.json/)).toBeVisible();
  // The file picker starts with nothing selected: for the same file, fixed in the meantime, a browser would report no
  // change.
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose a file' }).click(),
  ]);
  expect(await chooser.element().evaluate((field: HTMLInputElement) => field.files?.length)).toBe(0);
  await chooser.setFiles({ name: 'shop.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await expectNothingGrave(page);
  await page.getByRole('button', { name: 'Add a tool' }).click();
  await expect(page.getByText('4 operations, 0 on')).toBeVisible();

  await page.getByRole('tab', { name: 'Connection' }).click();
  await page.getByRole('button', { name: 'Use another document' }).click();
  await page.getByText('Paste', { exact: true }).click();
  await page.getByLabel('Document', { exact: true }).fill('openapi: "2"');
  await page.getByRole('button', { name: 'Read document' }).click();
  await expect(page.getByLabel('Document', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Document', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Read document' }).click();
  await expect(page.getByText('Document read')).toBeVisible();

  await page.goto(`${agentBase}/plugins/create`);
  await page.getByRole('button', { name: /Built-in tools/ }).dblclick();
  await expect(page.getByText('calculate', { exact: true })).toBeVisible();
  const { tools } = await client.tool.list({ agentId });
  expect(tools.filter(({ kind }) => kind === 'builtin')).toHaveLength(1);
  await page.getByRole('tab', { name: 'Sites' }).click();
  await page.getByRole('button', { name: 'Add a site' }).click();
  await page.getByLabel('Site 1', { exact: true }).fill('*.example.com');
  const sites = page.locator('form', { has: page.getByRole('button', { name: 'Add a site' }) });
  await sites.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expectNothingGrave(page);
});

test('an MCP server without functions is shown as such, and those that cannot be called are named', async ({
  page,
}) => {
  const { client, agentId, organizationId, agentBase, signIn } = await startOwner(server, 'mel');
  const { tool } = await client.tool.create({ organizationId, agentId, kind: 'mcp', name: 'Weather' });
  await signIn(page.context());
  await page.goto(`${agentBase}/plugins/tool/${tool.id}`);
  const operations = page.getByRole('tabpanel', { name: 'Operations' });
  await expect(operations.getByText('The server has listed no functions.')).toBeVisible();
  await expect(page.getByText('OpenAPI document')).toHaveCount(0);
  await expect(page.getByText(/cannot be called/)).toHaveCount(0);
  await page.route(`**/v1/**/tool/${tool.id}`, async (route) => {
    const response = await route.fetch();
    const whole = (await response.json()) as { tool: object };
    await route.fulfill({
      response,
      json: { ...whole, tool: { ...whole.tool, leftOut: ['later', ''], cutAfter: 'now' } },
    });
  });
  await page.reload();
  await expect(
    page.getByText('2 functions listed by the server cannot be called: later, one without a name.'),
  ).toBeVisible();
  await expect(page.getByText('Those listed after this one cannot be called: now.')).toBeVisible();
});
