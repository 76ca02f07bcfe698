import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { openLoopbackSite, type LoopbackSite } from '../../egress/loopback-site.testing.ts';

let product: Product;
let provider: Provider;
let site: LoopbackSite;
let other: LoopbackSite;
let ada: TestClient;
let agentId: string;
let id: string;

beforeAll(async () => {
  other = await openLoopbackSite((_request, response) => response.end('elsewhere'));
  site = await openLoopbackSite((request, response) => {
    if (request.url === '/away')
      return response.writeHead(302, { location: `http://127.0.0.1:${other.port}/` }).end();
    response.writeHead(200, { 'content-type': 'text/html' });
    return response.end('<html><body><nav>Menu</nav><main><p>Lamps cost 49 euros.</p></main></body></html>');
  });
  provider = await startProvider({ pieces: ['Done.'] });
  product = await startProduct({
    ssrfAllowedHosts: [`127.0.0.1:${site.port}`, `127.0.0.1:${other.port}`],
    providers: { openai: provider.openai },
  });
  ada = product.as('ada');
  const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  const text = 'The opening hours of the shop are from nine to five.';
  await ada.knowledge.create({ id: agentId, organizationId, type: 'text', description: 'Shop', text });
  await vi.waitUntil(
    async () => (await ada.knowledge.list({ id: agentId })).allKnowledge[0]?.progress.state === 'ready',
    60_000,
  );
  const made = await ada.tool.create({ organizationId, agentId, kind: 'builtin', name: 'Basics' });
  id = made.tool.id;
  const operations = made.operations.map((operation) => ({ id: operation.id, enabled: true }));
  await ada.tool.update({ id, operations, hosts: [`127.0.0.1:${site.port}`] });
});
afterAll(async () => {
  await product.close();
  await provider.close();
  await site.close();
  await other.close();
});

const run = (operationId: string, given: Record<string, unknown>) =>
  ada.tool.test({ id, operationId, arguments: given });

test('the calculator evaluates expressions by its grammar alone', async () => {
  const cases: [string, string][] = [
    ['2 * (3 + 4) ^ 2', '98'],
    ['-2 ^ 2', '-4'],
    ['10 / 4 - 1.5e0', '1'],
    ['2 ^ 3 ^ 2', '512'],
    ['round(2.345, 2) + max(1, sqrt(16))', '6.35'],
    ['7 % 4', '3'],
  ];
  for (const [expression, value] of cases)
    expect(await run('calculate', { expression }), expression).toMatchObject({
      state: 'done',
      response: value,
    });
  const refused = [
    'process.exit()',
    'constructor("x")()',
    '1/0',
    '2 +',
    '(1',
    '1 2',
    '('.repeat(400),
    '1'.repeat(501),
    '__proto__',
    'max',
  ];
  for (const expression of refused)
    expect(await run('calculate', { expression }), expression).toMatchObject({ state: 'refused' });
});

test('the clock tells the time in the requested zone', async () => {
  expect((await run('currentTime', {})).response).toMatch(/20\d\d.*\(UTC\)/);
  expect((await run('currentTime', { timeZone: 'Asia/Tokyo' })).response).toContain('Asia/Tokyo');
  expect(await run('currentTime', { timeZone: 'Mars/Base' })).toMatchObject({ state: 'refused' });
});

test('only pages of the named sites are read', async () => {
  const own = `http://127.0.0.1:${site.port}`;
  const read = await run('readPage', { url: `${own}/lamps` });
  expect(read.response).toContain('Lamps cost 49 euros.');
  expect(await run('readPage', { url: `${own}/away` })).toMatchObject({ state: 'failed' });
  for (const url of [
    `http://127.0.0.1:${other.port}/`,
    'http://169.254.169.254/',
    `http://127.0.0.1.nip.io:${site.port}/`,
    'nonsense',
  ])
    expect(await run('readPage', { url }), url).toMatchObject({ state: 'refused' });
});

test('the knowledge search finds passages', async () => {
  expect((await run('searchKnowledge', { question: 'When does the shop open?' })).response).toContain(
    'nine to five',
  );
});

test('a model calls the built-in tools, and page content reaches no other function without confirmation', async () => {
  const page = { name: 'readPage', arguments: { url: `http://127.0.0.1:${site.port}/lamps` } };
  const steps = [
    [{ name: 'calculate', arguments: { expression: '6 * 7' } }],
    [page],
    [{ name: 'searchKnowledge', arguments: { question: 'hours' } }],
    [{ ...page, arguments: { url: `${page.arguments.url}?all=nine-to-five` } }],
  ];
  provider.script = {
    pieces: [],
    of: ({ messages }) => {
      const calls = steps[messages.filter(({ role }) => role === 'assistant').length];
      return calls ? { calls } : { pieces: ['42.'] };
    },
  };
  const bob = product.as('bob');
  const { conversation } = await bob.chat.create({ chatbotId: agentId });
  const { answer } = await bob.chat.send({ id: conversation.id, text: 'Six times seven?' });
  expect(answer.toolCalls.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'waiting']);
  const told = provider.requests.at(-1)?.messages.filter(({ role }) => role === 'tool');
  expect(told?.[0]?.content).toContain('42');
});
