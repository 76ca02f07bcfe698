import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { openLoopbackSite } from '../../egress/loopback-site.testing.ts';

let product: Product;
let provider: Provider;
let server: ChildProcess;
let serverUrl: string;
/** A port where nothing listens. */
let gone: number;
let ada: TestClient;
let ids: { organizationId: string; agentId: string };

beforeAll(async () => {
  const port = await freePort();
  serverUrl = `http://127.0.0.1:${port}/mcp`;
  gone = await freePort();
  const program = path.resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js');
  server = spawn(process.execPath, [program, 'streamableHttp'], {
    env: { PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  server.stderr?.on('data', (text: Buffer) => (said += text.toString()));
  provider = await startProvider({ pieces: ['Done.'] });
  product = await startProduct({
    ssrfAllowedHosts: [`127.0.0.1:${port}`, `127.0.0.1:${gone}`],
    providers: { openai: provider.openai },
  });
  ada = product.as('ada');
  const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  ids = {
    organizationId,
    agentId: (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id,
  };
  await vi.waitUntil(() => said.includes('listening'), 60_000);
});
afterAll(async () => {
  await product.close();
  await provider.close();
  server.kill();
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

const newTool = async () => (await ada.tool.create({ ...ids, kind: 'mcp', name: 'Everything' })).tool.id;

test('an MCP server lists its functions, and each can be chosen and tried', async () => {
  const id = await newTool();
  const { operations } = await ada.tool.update({ id, serverUrl });
  const echo = operations.find((operation) => operation.id === 'echo');
  expect(echo).toMatchObject({
    method: '',
    enabled: false,
    policy: 'ask',
    parameters: [{ name: 'message', required: true }],
  });
  const tried = await ada.tool.test({ id, operationId: 'echo', arguments: { message: 'Good morning' } });
  expect(tried).toMatchObject({ state: 'done', response: expect.stringContaining('Good morning') as string });
  expect(tried.request).toEqual({
    method: 'POST',
    url: serverUrl,
    headers: {},
    body: '{"method":"tools/call","params":{"name":"echo","arguments":{"message":"Good morning"}}}',
  });
  await ada.tool.update({ id, authentication: { type: 'bearer' }, secret: 'token-canary' });
  const proven = await ada.tool.test({ id, operationId: 'echo', arguments: { message: 'Again' } });
  expect(proven.request?.headers).toEqual({ authorization: 'Bearer •••' });
  await ada.tool.update({ id, authentication: { type: 'none' } });
  expect(await ada.tool.test({ id, operationId: 'echo', arguments: {} })).toMatchObject({
    state: 'refused',
    request: null,
  });
});

test('resource links in an answer are given by name and address', async () => {
  const id = await newTool();
  await ada.tool.update({ id, serverUrl });
  const { response } = await ada.tool.test({
    id,
    operationId: 'get-resource-links',
    arguments: { count: 2 },
  });
  expect(response).toMatch(/^Blob Resource 1 \(demo:\/\/\S+\): Resource 1: /m);
  expect(response).toMatch(/^Text Resource 2 \(demo:\/\/\S+\): Resource 2: /m);
});

test('an agent calls a function once the person has allowed it', async () => {
  const id = await newTool();
  await ada.tool.update({ id, serverUrl });
  await ada.tool.update({ id, operations: [{ id: 'echo', enabled: true }] });
  provider.script = {
    pieces: [],
    of: ({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? { pieces: ['Said.'] }
        : { calls: [{ name: 'echo', arguments: { message: 'Hello' } }] },
  };
  const bob = product.as('bob');
  const { conversation } = await bob.chat.create({ chatbotId: ids.agentId });
  const { answer } = await bob.chat.send({ id: conversation.id, text: 'Say hello.' });
  expect(answer).toMatchObject({
    state: 'waiting',
    toolCalls: [{ tool: 'Everything', values: [{ name: 'message', value: 'Hello' }] }],
  });
  const callId = answer.toolCalls[0]?.id ?? '';
  const decision = { id: conversation.id, messageId: answer.id, callId, decision: 'allow' as const };
  expect((await bob.chat.decideToolCall(decision)).answer).toMatchObject({
    state: 'complete',
    text: 'Said.',
  });
  expect(provider.requests.at(-1)?.messages.at(-1)?.content).toContain('Hello');
});

test('an address that is internal or not an MCP server is reported as such, and nothing changes', async () => {
  const inside = await openLoopbackSite((_request, response) => response.end('inside'));
  const id = await newTool();
  await expect(
    ada.tool.update({ id, serverUrl: `http://127.0.0.1:${inside.port}/mcp` }),
  ).rejects.toMatchObject({
    code: 'egress/url-not-allowed',
  });
  expect(inside.connections()).toBe(0);
  await inside.close();
  await expect(
    ada.tool.update({ id, serverUrl: serverUrl.replace('/mcp', '/nothing') }),
  ).rejects.toMatchObject({
    code: 'egress/failed',
    message: 'The server answered with an error (404).',
  });
  await expect(ada.tool.update({ id, serverUrl: `http://127.0.0.1:${gone}/mcp` })).rejects.toMatchObject({
    code: 'egress/failed',
    message: 'The service could not be reached.',
  });
  await expect(ada.tool.update({ id, schema: { text: '{}' } })).rejects.toMatchObject({ status: 400 });
  expect((await ada.tool.get({ id })).tool.serverUrl).toBeNull();
});

test('an MCP server’s secret is required again for another address', async () => {
  const id = await newTool();
  await ada.tool.update({ id, serverUrl, authentication: { type: 'bearer' }, secret: 'canary-mcp' });
  await expect(ada.tool.update({ id, serverUrl: `${serverUrl}/2` })).rejects.toMatchObject({
    code: 'tool/secret-needed',
  });
});
