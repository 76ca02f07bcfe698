import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startAccountService, type AccountService } from '../../../../../test/stand-ins/account-service.ts';
import { makeAgentFile, Workshop } from '../../../../../test/agent-file.ts';
import { startMcpService, type McpService } from '../../../../../test/stand-ins/mcp-service.ts';
import { startProduct, type Product, type TestClient } from '../../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../../test/stand-ins/provider.ts';
import { openLoopbackSite } from '../../../egress/loopback-site.testing.ts';

let product: Product;
let provider: Provider;
let accounts: AccountService;
let service: McpService;
let ada: TestClient;
let organizationId: string;
let agentId: string;

beforeAll(async () => {
  accounts = await startAccountService();
  service = await startMcpService(accounts);
  provider = await startProvider({ pieces: ['Done.'] });
  product = await startProduct({
    ssrfAllowedHosts: [service.host, accounts.host],
    providers: { openai: provider.openai },
  });
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
});
beforeEach(() => {
  accounts.metadata = {};
  accounts.registered.length = 0;
  accounts.resources.length = 0;
  accounts.grants.length = 0;
  accounts.lifetimeSeconds = 3600;
  service.metadata = {};
  service.callers.length = 0;
});
afterAll(async () => {
  await product.close();
  await provider.close();
  await service.close();
  await accounts.close();
});

const newTool = async () =>
  (await ada.tool.create({ organizationId, agentId, kind: 'mcp', name: 'Orders' })).tool.id;

/** A tool that the member has set up with their own account. */
async function connectedTool() {
  const id = await newTool();
  await ada.toolSignIn.find({ id, serverUrl: service.url });
  const { url } = await ada.toolSignIn.connect({ id });
  const { state, code } = accounts.agree(url ?? '', 'ada-at-the-shop');
  const { operations } = await ada.toolSignIn.connected({ id, state, code });
  return { id, operations };
}

function codeOf(url: string | null, person: string) {
  const { state, code } = accounts.agree(url ?? '', person);
  return { state, code };
}

/** The model calls it once, then speaks. */
function calling(): void {
  provider.script = {
    pieces: [],
    of: ({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? { pieces: ['All done.'] }
        : { calls: [{ name: 'whoAmI', arguments: { loud: false } }] },
  };
}

async function ask(client: TestClient) {
  const { id } = (await client.chat.create({ chatbotId: agentId })).conversation;
  const { answer } = await client.chat.send({ id, text: 'Who am I?' });
  return { answer, call: { id, messageId: answer.id, callId: answer.toolCalls[0]?.id ?? '' } };
}

test('a server says where people sign in, a client is registered once, and the member lists functions with their own account', async () => {
  const id = await newTool();
  const found = await ada.toolSignIn.find({ id, serverUrl: service.url });
  expect(found).toMatchObject({
    operations: [],
    tool: {
      serverUrl: service.url,
      hasSecret: false,
      authentication: {
        type: 'authorizationCode',
        authorizationUrl: accounts.authorizationUrl,
        tokenUrl: accounts.tokenUrl,
        clientId: 'registered-1',
        scope: 'orders',
        resource: service.url,
      },
    },
  });
  expect(accounts.registered).toMatchObject([
    {
      client_name: 'Parley',
      redirect_uris: [expect.stringMatching(/\/connected$/) as string],
      token_endpoint_auth_method: 'none',
    },
  ]);
  const { url } = await ada.toolSignIn.connect({ id });
  const { address, state, code } = accounts.agree(url ?? '', 'ada-at-the-shop');
  expect(address.pathname).toBe('/connected');
  const { operations } = await ada.toolSignIn.connected({ id, state, code });
  expect(operations).toMatchObject([{ id: 'whoAmI', policy: 'ask', enabled: false }]);
  expect(accounts.resources).toEqual([service.url, service.url]);
  expect(await ada.toolSignIn.connect({ id })).toEqual({ url: null });
  expect(await ada.tool.test({ id, operationId: 'whoAmI', arguments: { loud: true } })).toMatchObject({
    state: 'done',
    response: 'You are ada-at-the-shop.',
  });
  // A client that was given is not registered again.
  await ada.toolSignIn.find({ id, serverUrl: service.url, clientId: 'registered-1' });
  expect(accounts.registered).toHaveLength(1);
  expect((await ada.tool.get({ id })).operations).toHaveLength(1);
});

test('each end user is asked for their own account, and the call is made with it', async () => {
  const { id } = await connectedTool();
  await ada.tool.update({ id, operations: [{ id: 'whoAmI', enabled: true, policy: 'allow' }] });
  calling();
  const bob = product.as('bob');
  const { answer, call } = await ask(bob);
  expect(answer.toolCalls).toMatchObject([{ waitsFor: 'account', service: accounts.host }]);
  const { url } = await bob.chat.connectAccount(call);
  const { state, code } = accounts.agree(url ?? '', 'bob-at-the-shop');
  const { answer: done } = await bob.chat.accountConnected({ ...call, state, code });
  expect(done).toMatchObject({ text: 'All done.', toolCalls: [{ state: 'done' }] });
  expect(service.callers).toEqual(['bob-at-the-shop']);
  // Expired early: the server says so, and the call is made once, with the next token.
  accounts.endAccess();
  expect((await ask(bob)).answer.toolCalls).toMatchObject([{ state: 'done' }]);
  expect(service.callers).toEqual(['bob-at-the-shop', 'bob-at-the-shop']);
  expect(accounts.grants.at(-1)).toBe('refresh_token');
  expect(accounts.resources.at(-1)).toBe(service.url);
  const [account] = (await bob.toolAccount.list({})).accounts;
  await bob.toolAccount.remove({ id: account?.id ?? '' });
  expect(accounts.revoked).toEqual(['bob-at-the-shop']);
  const { call: again } = await ask(bob);
  const begun = await bob.chat.connectAccount(again);
  await bob.chat.accountConnected({ ...again, ...codeOf(begun.url, 'bob-at-the-shop') });
  accounts.revoke('bob-at-the-shop');
  const { answer: held, call: last } = await ask(bob);
  expect(held).toMatchObject({ state: 'waiting', toolCalls: [{ waitsFor: 'account' }] });
  expect((await bob.toolAccount.list({})).accounts).toEqual([]);
  const anew = codeOf((await bob.chat.connectAccount(last)).url, 'bob-at-the-shop');
  const { answer: whole } = await bob.chat.accountConnected({ ...last, ...anew });
  expect(whole).toMatchObject({ text: 'All done.', toolCalls: [{ state: 'done' }] });
  await ada.tool.remove({ id });
});

test('a member’s login works once, for that member and tool only', async () => {
  const [id, other] = [await newTool(), await newTool()];
  for (const each of [id, other]) await ada.toolSignIn.find({ id: each, serverUrl: service.url });
  const { url } = await ada.toolSignIn.connect({ id });
  const { state, code } = accounts.agree(url ?? '', 'ada-at-the-shop');
  const refused = { status: 400, code: 'tool/login-refused' };
  await expect(ada.toolSignIn.connected({ id: other, state, code })).rejects.toMatchObject(refused);
  await expect(ada.toolSignIn.connected({ id, state: 'forged', code })).rejects.toMatchObject(refused);
  const many = await Promise.allSettled(
    Array.from({ length: 3 }, () => ada.toolSignIn.connected({ id, state, code })),
  );
  expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a sign-in that belongs to another server, is unprotected or is internal is not used', async () => {
  const inside = await openLoopbackSite((_request, response) => response.end('{}'));
  const there = `http://127.0.0.1:${inside.port}`;
  const id = await newTool();
  const find = () => ada.toolSignIn.find({ id, serverUrl: service.url });
  const failed = { code: 'egress/failed' };
  service.metadata = { resource: 'https://bank.example.com/mcp' };
  await expect(find()).rejects.toMatchObject(failed);
  service.metadata = { authorization_servers: [there] };
  await expect(find()).rejects.toMatchObject({ code: 'egress/url-not-allowed' });
  service.metadata = {};
  for (const metadata of [
    { issuer: 'https://login.example.com' },
    { code_challenge_methods_supported: ['plain'] },
    { code_challenge_methods_supported: undefined },
    { registration_endpoint: undefined },
    { authorization_endpoint: 'javascript:alert(1)' },
    { token_endpoint_auth_methods_supported: ['private_key_jwt'] },
  ]) {
    accounts.metadata = metadata;
    await expect(find()).rejects.toMatchObject(failed);
  }
  accounts.metadata = { registration_endpoint: `${there}/register` };
  await expect(find()).rejects.toMatchObject({ code: 'egress/url-not-allowed' });
  expect(inside.connections()).toBe(0);
  expect(accounts.registered).toEqual([]);
  expect((await ada.tool.get({ id })).tool).toMatchObject({
    serverUrl: null,
    authentication: { type: 'none' },
  });
  await inside.close();
});

test('a server that requires no sign-in is reported as such, and only MCP servers are asked', async () => {
  const open = { serverUrl: accounts.tokenUrl };
  await expect(ada.toolSignIn.find({ id: await newTool(), ...open })).rejects.toMatchObject({ status: 400 });
  const { tool } = await ada.tool.create({ organizationId, agentId, name: 'Shop' });
  await expect(ada.toolSignIn.find({ id: tool.id, serverUrl: service.url })).rejects.toMatchObject({
    status: 400,
  });
});

test('a change of address removes the listed functions and connected accounts', async () => {
  const { id, operations } = await connectedTool();
  expect(operations).toHaveLength(1);
  const moved = await ada.tool.update({ id, serverUrl: `${service.url}/elsewhere` });
  expect(moved).toMatchObject({ operations: [], tool: { authentication: { clientId: 'registered-1' } } });
  expect((await ada.toolSignIn.connect({ id })).url).not.toBeNull();
});

test('a pending connection is not completed in another organization', async () => {
  const chatbot = (await ada.chatbot.create({ organizationId, name: 'Moving' })).chatbot;
  const { id } = (await ada.tool.create({ organizationId, agentId: chatbot.id, kind: 'mcp' })).tool;
  await ada.toolSignIn.find({ id, serverUrl: service.url });
  const { url } = await ada.toolSignIn.connect({ id });
  const toOrganizationId = (await ada.organization.create({ name: 'Other' })).organization.id;
  await ada.agentKeeping.transfer({ id: chatbot.id, organizationId, toOrganizationId, name: 'Moving' });
  const ended = ada.toolSignIn.connected({ id, ...codeOf(url, 'ada-at-the-shop') });
  await expect(ended).rejects.toMatchObject({ code: 'tool/login-refused' });
  const { rows } = await product.app.deps.db.owner.query('select from tool_login where tool_id = $1', [id]);
  expect(rows).toEqual([]);
});

test('an agent’s file contains an MCP server’s functions, and nobody’s account', async () => {
  const { id } = await connectedTool();
  const workshop = new Workshop(product, 'ada', organizationId);
  const file = await workshop.exported(agentId);
  const text = await makeAgentFile.textOf(file);
  for (const token of accounts.tokens) expect(text).not.toContain(token);
  const { chatbotId } = await workshop.imported(file);
  const { tools } = await ada.tool.list({ agentId: chatbotId ?? '' });
  const made = await Promise.all(tools.map((tool) => ada.tool.get({ id: tool.id })));
  const { operations } = await ada.tool.get({ id });
  expect(made.at(-1)?.operations).toEqual(operations);
});
