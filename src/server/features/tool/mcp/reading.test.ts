import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { TOOL_MCP_FUNCTIONS_MAX } from '../../../../contract/limits.ts';
import { startProduct, type Product, type TestClient } from '../../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../../test/stand-ins/provider.ts';

let product: Product;
let provider: Provider;
let http: Server;
let ada: TestClient;
let bob: TestClient;
let ids: { organizationId: string; agentId: string };
let tool: { id: string };
/** The calls that reached the server. */
const calls: string[] = [];
/** What it answers every call with. */
let refusal: McpError | undefined;
/** It doesn't respond. */
let isSilent = false;
/** It supports only the older SSE transport. */
let isOld = false;
/** Where it redirects to. */
let location: string | undefined;
/** What it lists instead. */
let listed: unknown[] | undefined;

beforeAll(async () => {
  http = createServer((request, response) => {
    if (isSilent) return;
    if (isOld) return void response.writeHead(405).end();
    if (location) return void response.writeHead(307, { location }).end();
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    void weatherServer()
      .connect(transport as Parameters<McpServer['connect']>[0])
      .then(() => transport.handleRequest(request, response));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(http.address() as AddressInfo).port}`;
  provider = await startProvider({ pieces: ['Done.'] });
  product = await startProduct({
    ssrfAllowedHosts: [host],
    providers: { openai: provider.openai },
  });
  ada = product.as('ada');
  bob = product.as('bob');
  const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  const agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  ids = { organizationId, agentId };
  tool = (await ada.tool.create({ ...ids, kind: 'mcp', name: 'Weather' })).tool;
  await ada.tool.update({ id: tool.id, serverUrl: `http://${host}/mcp` });
  const operations = ['now', 'order'].map((id) => ({ id, enabled: true, policy: 'allow' as const }));
  await ada.tool.update({ id: tool.id, operations });
});
beforeEach(() => {
  calls.length = 0;
});
afterAll(async () => {
  await product.close();
  await provider.close();
  await new Promise((resolve) => http.close(resolve));
});

/** One function marked read-only, and one that isn't. */
function weatherServer(): McpServer {
  const server = new McpServer({ name: 'weather', version: '1' });
  const answer = (name: string) => () => {
    calls.push(name);
    return { content: [{ type: 'text' as const, text: `${name}, number ${calls.length}` }] };
  };
  server.registerTool('now', { description: 'Now', annotations: { readOnlyHint: true } }, answer('now'));
  server.registerTool(
    'order',
    { description: 'Order', annotations: { readOnlyHint: false } },
    answer('order'),
  );
  if (listed) server.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }));
  const thrown = refusal;
  if (thrown)
    server.server.setRequestHandler(CallToolRequestSchema, () => {
      throw thrown;
    });
  return server;
}

/** The model calls it twice per message, one call after the other, then speaks. */
function callingTwice(name: string): void {
  provider.script = {
    pieces: [],
    of: ({ messages }) => {
      const last = messages.findLastIndex(({ role }) => role === 'user');
      const asked = messages.slice(last).filter(({ role }) => role === 'assistant').length;
      return asked < 2 ? { calls: [{ name, arguments: {} }] } : { pieces: ['So it is.'] };
    },
  };
}

const statesOf = ({ toolCalls }: { toolCalls: { state: string }[] }) => toolCalls.map(({ state }) => state);

test('a function declared read-only is called again in a later answer, and once per answer', async () => {
  callingTwice('now');
  const { conversation } = await bob.chat.create({ chatbotId: ids.agentId });
  const { answer: first } = await bob.chat.send({ id: conversation.id, text: 'What is the weather?' });
  expect(statesOf(first)).toEqual(['done', 'repeated']);
  const { answer: later } = await bob.chat.send({ id: conversation.id, text: 'And now?' });
  expect(statesOf(later)).toEqual(['done', 'repeated']);
  expect(calls).toEqual(['now', 'now']);
  expect(provider.requests.at(-1)?.messages.at(-1)?.content).toContain('now, number 2');
});

test('any other function is called once per conversation', async () => {
  callingTwice('order');
  const { conversation } = await bob.chat.create({ chatbotId: ids.agentId });
  await bob.chat.send({ id: conversation.id, text: 'Order.' });
  const { answer } = await bob.chat.send({ id: conversation.id, text: 'Order.' });
  expect(statesOf(answer)).toEqual(['repeated', 'repeated']);
  expect(calls).toEqual(['order']);
});

test('a read-only declaration does not skip confirmation', async () => {
  const other = (await ada.tool.create({ ...ids, kind: 'mcp', name: 'Other' })).tool;
  const { tool: weather } = await ada.tool.get({ id: tool.id });
  const { operations } = await ada.tool.update({ id: other.id, serverUrl: weather.serverUrl ?? '' });
  expect(operations.map(({ id, policy }) => [id, policy])).toEqual([
    ['now', 'ask'],
    ['order', 'ask'],
  ]);
});

test('a duplicated agent still knows that a function is read-only', async () => {
  await ada.agentFile.duplicate({ id: ids.agentId, organizationId: ids.organizationId });
  const { owner } = product.app.deps.db;
  await vi.waitFor(async () => {
    const { rows } = await owner.query<{ id: string }>(
      `select distinct o.id from tool_operation o join tool t on t.id = o.tool_id
        where t.agent_id <> $1 and o.plan ? 'onlyReads'`,
      [ids.agentId],
    );
    expect(rows).toEqual([{ id: 'now' }]);
  }, 10_000);
});

test.each([
  [ErrorCode.InvalidParams, 'There is no such function any more.'],
  // Codes that the library also uses for what it says itself.
  [-32_000, 'The order book is closed.'],
  [-32_001, 'There is no such order.'],
])('a protocol error with the code %i is reported as the server’s message', async (code, message) => {
  refusal = new McpError(code, message);
  const tried = await ada.tool.test({ id: tool.id, operationId: 'now', arguments: {} });
  refusal = undefined;
  expect(tried).toMatchObject({
    state: 'failed',
    response: expect.stringContaining(message) as string,
  });
});

test('a malformed function does not hold up the others', async () => {
  const inputSchema = { type: 'object', properties: { place: { type: 'string' } } };
  listed = [
    { name: 'now', description: 'Now' },
    { name: 'later', inputSchema, title: 5, annotations: { readOnlyHint: 'yes' }, _meta: 'odd' },
    { name: 'now', description: 'The same once more' },
    { inputSchema },
    'order',
    null,
  ];
  const made = (await ada.tool.create({ ...ids, kind: 'mcp', name: 'Odd' })).tool;
  const serverUrl = (await ada.tool.get({ id: tool.id })).tool.serverUrl ?? '';
  const { operations } = await ada.tool.update({ id: made.id, serverUrl });
  expect(operations.map(({ id }) => id).sort()).toEqual(['later', 'now']);
  expect((await ada.tool.get({ id: made.id })).tool.leftOut).toEqual(['now', '', '', '']);
  expect(await ada.tool.test({ id: made.id, operationId: 'now', arguments: {} })).toMatchObject({
    state: 'done',
  });
  listed = [{ name: 'now', description: 'Now', annotations: { readOnlyHint: true } }];
  expect((await ada.tool.update({ id: made.id, serverUrl })).tool.leftOut).toEqual([]);
  listed = undefined;
});

test('functions beyond the maximum are ignored, and the last accepted one is named', async () => {
  const names = Array.from({ length: TOOL_MCP_FUNCTIONS_MAX + 1 }, (_, index) => ({ name: `f${index}` }));
  const made = (await ada.tool.create({ ...ids, kind: 'mcp', name: 'Much' })).tool;
  const serverUrl = (await ada.tool.get({ id: tool.id })).tool.serverUrl ?? '';
  const read = async (functions: unknown[]) => {
    listed = functions;
    const { operations } = await ada.tool.update({ id: made.id, serverUrl });
    return { count: operations.length, ...(await ada.tool.get({ id: made.id })).tool };
  };
  expect(await read(names)).toMatchObject({ count: TOOL_MCP_FUNCTIONS_MAX, cutAfter: 'f299', leftOut: [] });
  expect(await read(names.slice(1))).toMatchObject({ count: TOOL_MCP_FUNCTIONS_MAX, cutAfter: null });
  listed = undefined;
});

/** A tool whose server lists these. */
async function listing(functions: unknown[]) {
  listed = functions;
  const made = (await ada.tool.create({ ...ids, kind: 'mcp', name: 'Strange' })).tool;
  const serverUrl = (await ada.tool.get({ id: tool.id })).tool.serverUrl ?? '';
  const { operations } = await ada.tool.update({ id: made.id, serverUrl });
  listed = undefined;
  return { operations, leftOut: (await ada.tool.get({ id: made.id })).tool.leftOut };
}

test('text that the database cannot store is left out of a function’s description; in a name it excludes the function', async () => {
  const deep = JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`) as unknown;
  const properties = {
    place: { type: 'string', description: 'Where\u0000', enum: ['Here', '\ud800'], default: deep },
    'day\u0000': { type: 'string' },
  };
  const { operations, leftOut } = await listing([
    { name: 'now', inputSchema: { type: 'object', properties, required: ['place', 'day\u0000'] } },
    { name: 'later\u0000' },
    { name: 'order' },
  ]);
  expect(operations.map(({ id, parameters }) => [id, parameters.map(({ name }) => name)])).toEqual([
    ['now', ['place']],
    ['order', []],
  ]);
  expect(leftOut).toEqual(['later']);
  const { rows } = await product.app.deps.db.owner.query<{ schema: unknown }>(
    `select input_schema as schema from tool_operation where id = 'now' and input_schema::text like '%place%'`,
  );
  expect(rows).toEqual([
    {
      schema: {
        type: 'object',
        properties: { place: { type: 'string', description: 'Where' } },
        required: ['place'],
      },
    },
  ]);
});

test('a silent server is reported as too slow', async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const shorter = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(Math.min(ms, 300)));
  isSilent = true;
  const { serverUrl } = (await ada.tool.get({ id: tool.id })).tool;
  await expect(ada.tool.update({ id: tool.id, serverUrl: serverUrl ?? '' })).rejects.toThrow(
    'The server took longer than 30 s.',
  );
  isSilent = false;
  shorter.mockRestore();
});

test('a server with only the older MCP transport is identified as such', async () => {
  isOld = true;
  const { id } = (await ada.tool.create({ ...ids, kind: 'mcp', name: 'Old' })).tool;
  const serverUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}/sse`;
  await expect(ada.tool.update({ id, serverUrl })).rejects.toMatchObject({
    status: 502,
    message: expect.stringContaining('only the older MCP transport, SSE') as string,
  });
  isOld = false;
});

test('a server that redirects is named with the address it redirects to, without the query', async () => {
  const { serverUrl } = (await ada.tool.get({ id: tool.id })).tool;
  location = '/mcp/?key=secret';
  await expect(ada.tool.update({ id: tool.id, serverUrl: serverUrl ?? '' })).rejects.toMatchObject({
    status: 502,
    message: `The server redirects (307) to ${serverUrl}/, so enter that address.`,
  });
  location = undefined;
});
