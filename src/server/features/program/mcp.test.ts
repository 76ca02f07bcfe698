import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { makeTaughtAgent } from '../../../../test/taught-agent.ts';
import { bearing } from '../../../../test/visit.ts';

let provider: Provider;
let product: Product;
let owner: TestClient;
let organizationId: string;
beforeAll(async () => {
  provider = await startProvider({ pieces: ['Until ', 'nine ', '[1].'] });
  product = await startProduct({ providers: { openai: provider.openai } });
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

const makeAgent = (text?: string) => makeTaughtAgent(owner, organizationId, text);
const addressOf = (id: string) => `${product.url}/v1/agents/${id}/mcp`;

async function connect(id: string, apiKey: string, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(addressOf(id)), {
    requestInit: { headers: { authorization: `Bearer ${apiKey}`, ...headers } },
  });
  await client.connect(transport);
  return client;
}

const call = async (client: Client, name: string, given: object) =>
  (await client.callTool({ name, arguments: { ...given } })) as CallToolResult;

const textOf = ({ content }: CallToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

/** A message as a client sends it, with these headers changed. */
async function post(
  { id, apiKey }: { id: string; apiKey: string },
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(addressOf(id), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

test('an agent is a server with two tools', async () => {
  const { id, apiKey } = await makeAgent();
  const client = await connect(id, apiKey);
  expect(client.getServerVersion()).toMatchObject({ name: 'parley', title: 'Helper' });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['ask', 'search_knowledge']);
  expect(tools.map(({ title }) => title)).toEqual(['Ask Helper', 'Search what Helper knows']);
  await client.close();
});

test('ask answers with citations as text and data, in an ordinary conversation', async () => {
  const { id, apiKey } = await makeAgent('The shop closes at nine in the evening.');
  const client = await connect(id, apiKey, { 'End-User': 'ada' });
  const result = await call(client, 'ask', { question: 'When does the shop close?' });
  expect(textOf(result)).toBe('Until nine [1].\n\n[1] Notes');
  expect(result.structuredContent).toEqual({
    answer: 'Until nine [1].',
    citations: [
      {
        number: 1,
        title: 'Notes',
        url: null,
        headingPath: [],
        page: null,
        text: 'The shop closes at nine in the evening.',
      },
    ],
  });
  const { conversations } = await bearing(product, apiKey, { 'end-user': 'ada' }).chat.list();
  expect(conversations.map(({ title }) => title)).toEqual(['When does the shop close?']);
  await client.close();
});

test('search_knowledge finds passages without calling a model', async () => {
  const { id, apiKey } = await makeAgent('The shop closes at nine in the evening.');
  const asked = provider.requests.length;
  const client = await connect(id, apiKey);
  const found = await call(client, 'search_knowledge', { query: 'shop closes' });
  expect(textOf(found)).toBe('Notes\nThe shop closes at nine in the evening.');
  expect(found.structuredContent).toMatchObject({
    passages: [{ title: 'Notes', score: expect.any(Number) as number }],
  });
  expect(textOf(await call(client, 'search_knowledge', { query: 'zebra' }))).toBe('Nothing was found.');
  expect(provider.requests).toHaveLength(asked);
  await client.close();
});

test('invalid arguments and failures are reported to the calling model', async () => {
  const { id, apiKey } = await makeAgent();
  const client = await connect(id, apiKey);
  for (const given of [{}, { question: ' ' }, { question: 'x'.repeat(8001) }, { question: 7 }])
    expect(await call(client, 'ask', given)).toMatchObject({ isError: true });
  expect(await call(client, 'search_knowledge', { query: 'x', limit: 13 })).toMatchObject({ isError: true });
  expect(await call(client, 'delete_everything', {})).toMatchObject({ isError: true });
  provider.script = { pieces: [], status: 400 };
  const failed = await call(client, 'ask', { question: 'Hello?' });
  provider.script = { pieces: ['Until ', 'nine ', '[1].'] };
  expect(failed.isError).toBe(true);
  expect(textOf(failed)).toBe('The model could not be reached or did not answer. (server/unavailable)');
  await client.close();
});

test('questions and searches are limited per end user', async () => {
  const { id, apiKey } = await makeAgent();
  const client = await connect(id, apiKey);
  const ask = () => call(client, 'ask', { question: 'Hello?' });
  const search = () => call(client, 'search_knowledge', { query: 'hello' });
  await Promise.all(Array.from({ length: 20 }, ask));
  await Promise.all(Array.from({ length: 60 }, search));
  for (const result of [await ask(), await search()]) {
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('request/rate-limited');
  }
  const other = await connect(id, apiKey, { 'End-User': 'ada' });
  expect((await call(other, 'search_knowledge', { query: 'hello' })).isError).toBeUndefined();
  await Promise.all([client.close(), other.close()]);
});

test('only the agent’s own key opens it', async () => {
  const [mine, other] = [await makeAgent(), await makeAgent()];
  const { idToken } = await product.sessionOf('owner');
  for (const apiKey of ['parleyagent_wrong', idToken, ''])
    expect((await post({ id: mine.id, apiKey }, listing)).status).toBe(401);
  expect((await post({ id: mine.id, apiKey: other.apiKey }, listing)).status).toBe(404);
  expect((await post({ id: 'agt_nobody', apiKey: mine.apiKey }, listing)).status).toBe(404);
  expect((await post(mine, listing)).status).toBe(200);
  await expect(connect(mine.id, 'parleyagent_wrong')).rejects.toThrow();
});

test('pages of other sites are refused, whatever name led them here', async () => {
  const agent = await makeAgent();
  const own = new URL(product.url.replace('127.0.0.1', 'localhost'));
  const foreign = ['https://evil.example', 'null', `http://evil.example:${own.port}`, product.url];
  for (const origin of foreign) expect((await post(agent, listing, { origin })).status).toBe(403);
  const from = (host: string, origin: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        host,
        origin,
        authorization: `Bearer ${agent.apiKey}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      const sent = request(addressOf(agent.id), { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
      sent.end(JSON.stringify(listing));
    });
  // Somebody else's host name that resolves to this server.
  expect(await from(`evil.example:${own.port}`, `http://evil.example:${own.port}`)).toBe(403);
  expect(await from(`evil.example:${own.port}`, own.origin)).toBe(403);
  expect(await from(own.host, own.origin)).toBe(200);
  const asked = await fetch(addressOf(agent.id), {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  });
  expect(asked.headers.has('access-control-allow-origin')).toBe(false);
});

test('there is no stream to listen to and no session to end', async () => {
  const { id, apiKey } = await makeAgent();
  for (const method of ['GET', 'DELETE']) {
    const response = await fetch(addressOf(id), { method, headers: { authorization: `Bearer ${apiKey}` } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  }
  expect((await post({ id, apiKey }, listing)).headers.has('mcp-session-id')).toBe(false);
});

test('an invalid message is refused, and no refusal ends the server', async () => {
  const agent = await makeAgent();
  const statusOf = async (body: unknown, headers = {}) => (await post(agent, body, headers)).status;
  expect(await statusOf({ hello: 'world' })).toBe(400);
  expect(await statusOf([listing, listing])).toBe(400);
  expect(await statusOf(listing, { accept: 'text/html' })).toBe(406);
  expect(await statusOf(listing, { 'content-type': 'text/plain' })).toBe(415);
  expect(await statusOf(listing, { 'mcp-protocol-version': '1999-01-01' })).toBe(400);
  expect(await statusOf({ ...listing, params: { x: 'x'.repeat(300_000) } })).toBe(413);
  expect(await statusOf({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBe(202);
  expect(await statusOf({ ...listing, method: 'no/such' })).toBe(200);
  expect(await statusOf(listing)).toBe(200);
});

test('a client that disconnects stops the answer', async () => {
  const { id, apiKey } = await makeAgent();
  provider.script = { pieces: Array.from({ length: 400 }, () => 'word '), betweenPiecesMs: 20 };
  try {
    const abort = new AbortController();
    const asked = fetch(addressOf(id), {
      method: 'POST',
      signal: abort.signal,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        ...listing,
        method: 'tools/call',
        params: { name: 'ask', arguments: { question: 'Hello?' } },
      }),
    });
    setTimeout(() => abort.abort(), 300);
    await expect(asked).rejects.toThrow();
    const { chat } = bearing(product, apiKey);
    const conversation = (await chat.list()).conversations[0]?.id ?? '';
    await expect
      .poll(async () => (await chat.listMessages({ id: conversation })).messages[1]?.state)
      .toBe('stopped');
  } finally {
    provider.script = { pieces: ['Until ', 'nine ', '[1].'] };
  }
});
