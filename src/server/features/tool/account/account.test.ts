import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startAccountService, type AccountService } from '../../../../../test/stand-ins/account-service.ts';
import {
  answer,
  startOpenApiService,
  type OpenApiService,
} from '../../../../../test/stand-ins/openapi-service.ts';
import { startProduct, type Product, type TestClient } from '../../../../../test/product.ts';
import {
  startProvider,
  type Provider,
  type ProviderRequest,
} from '../../../../../test/stand-ins/provider.ts';
import { bearing, visit } from '../../../../../test/visit.ts';

let product: Product;
let provider: Provider;
let service: OpenApiService;
let accounts: AccountService;
let ada: TestClient;
let organizationId: string;
let agentId: string;
let toolId: string;

beforeAll(async () => {
  service = await startOpenApiService();
  accounts = await startAccountService();
  provider = await startProvider({ pieces: ['Done.'] });
  product = await startProduct({
    ssrfAllowedHosts: [service.host, accounts.host],
    providers: { openai: provider.openai },
  });
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  ({ agentId, toolId } = await agentWithAccounts());
});
beforeEach(() => {
  accounts.lifetimeSeconds = 3600;
  accounts.grants.length = 0;
  service.requests.length = 0;
  service.answer = ({ headers }, response) => {
    const person = accounts.personOf(headers['authorization']);
    return person === undefined ? answer(response, 401, {}) : answer(response, 200, { ordersOf: person });
  };
  provider.requests.length = 0;
  calling('listOrders', {});
});
afterAll(async () => {
  await product.close();
  await provider.close();
  await accounts.close();
  await service.close();
});

const authentication = () => ({
  type: 'authorizationCode' as const,
  authorizationUrl: accounts.authorizationUrl,
  tokenUrl: accounts.tokenUrl,
  clientId: accounts.clientId,
  scope: 'orders',
});

async function agentWithAccounts() {
  const agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  const toolId = (await ada.tool.create({ organizationId, agentId, name: 'Shop' })).tool.id;
  await ada.tool.update({
    id: toolId,
    schema: { url: `${service.url}/openapi.json` },
    authentication: authentication(),
    secret: accounts.clientSecret,
  });
  const operations = ['listOrders', 'createOrder'].map((id) => ({ id, enabled: true }));
  await ada.tool.update({ id: toolId, operations });
  return { agentId, toolId };
}

/** The model makes this call once, then speaks. */
function calling(name: string, given: unknown): void {
  provider.script = {
    pieces: [],
    of: ({ messages }: ProviderRequest) => {
      const last = messages.findLastIndex(({ role }) => role === 'user');
      const isDone = messages.slice(last).some(({ role }) => role === 'assistant');
      return isDone ? { pieces: ['All done.'] } : { pieces: [], calls: [{ name, arguments: given }] };
    },
  };
}

async function ask(client: TestClient, chatbotId = agentId) {
  const { id } = (await client.chat.create({ chatbotId })).conversation;
  const { answer: made } = await client.chat.send({ id, text: 'My orders?' });
  return { made, call: { id, messageId: made.id, callId: made.toolCalls[0]?.id ?? '' } };
}

/** Through the service's pages and back. */
async function connect(client: TestClient, call: Awaited<ReturnType<typeof ask>>['call'], person: string) {
  const { url } = await client.chat.connectAccount(call);
  const { state, code } = accounts.agree(url ?? '', person);
  return (await client.chat.accountConnected({ ...call, state, code })).answer;
}

const told = () => provider.requests.at(-1)?.messages.at(-1)?.content;
const refused = { status: 400, code: 'tool/login-refused' };

test('a call waits until the person has connected their account, and is then made with it', async () => {
  const bob = product.as('bob');
  const { made, call } = await ask(bob);
  expect(made).toMatchObject({
    state: 'waiting',
    toolCalls: [{ tool: 'Shop', state: 'waiting', waitsFor: 'account', service: accounts.host, values: [] }],
  });
  await expect(bob.chat.decideToolCall({ ...call, decision: 'allow' })).rejects.toMatchObject({
    code: 'tool/account-needed',
  });
  const { url } = await bob.chat.connectAccount(call);
  const asked = Object.fromEntries(new URL(url ?? '').searchParams);
  expect(url?.startsWith(`${accounts.authorizationUrl}?`)).toBe(true);
  expect(asked).toMatchObject({ response_type: 'code', scope: 'orders', code_challenge_method: 'S256' });
  const { address, state, code } = accounts.agree(url ?? '', 'bob-at-the-shop');
  expect(address.pathname).toBe('/connected');
  const { answer: done } = await bob.chat.accountConnected({ ...call, state, code });
  expect(done).toMatchObject({ state: 'complete', text: 'All done.', toolCalls: [{ state: 'done' }] });
  expect(told()).toContain('bob-at-the-shop');
  // From now on nobody is asked.
  expect((await ask(bob)).made).toMatchObject({ state: 'complete', toolCalls: [{ state: 'done' }] });
  expect(accounts.grants).toEqual(['authorization_code']);
});

test('a call with effects asks for confirmation once the account is connected', async () => {
  calling('createOrder', { body: { item: 'Lamp' } });
  const carl = product.as('carl');
  const { call } = await ask(carl);
  expect(await connect(carl, call, 'carl')).toMatchObject({
    state: 'waiting',
    toolCalls: [{ waitsFor: 'word', service: null, values: [{ name: 'item', value: 'Lamp' }] }],
  });
  expect(service.requests).toEqual([]);
  const { answer: done } = await carl.chat.decideToolCall({ ...call, decision: 'allow' });
  expect(done.toolCalls).toMatchObject([{ state: 'done' }]);
  expect(service.requests).toHaveLength(1);
});

test('declining to connect connects nothing and calls nothing', async () => {
  const dora = product.as('dora');
  const { call } = await ask(dora);
  const { answer: done } = await dora.chat.decideToolCall({ ...call, decision: 'deny' });
  expect(done).toMatchObject({ state: 'complete', toolCalls: [{ state: 'denied' }] });
  expect(service.requests).toEqual([]);
});

test('an end user’s account is used for nobody else, whether member, guest or visitor', async () => {
  const { token } = await visit(product, agentId);
  const people: [string, TestClient][] = [
    ['erin', product.as('erin')],
    ['guest', product.as('gus', 'guest')],
    ['visitor', bearing(product, token)],
    ['ada', ada],
  ];
  for (const [name, client] of people) {
    const { made, call } = await ask(client);
    expect([name, made.toolCalls[0]?.waitsFor]).toEqual([name, 'account']);
    await connect(client, call, `${name}-at-the-shop`);
    expect(told()).toContain(`${name}-at-the-shop`);
  }
  for (const [name, client] of people) {
    await ask(client);
    expect(told()).toContain(`${name}-at-the-shop`);
    expect((await client.toolAccount.list({})).accounts).toMatchObject([
      { tool: 'Shop', agentName: 'Helper', service: accounts.host },
    ]);
  }
  const [first] = (await ada.toolAccount.list({})).accounts;
  await expect(product.as('erin').toolAccount.remove({ id: first?.id ?? '' })).rejects.toMatchObject({
    status: 404,
  });
});

test('a state is refused if forged, used, too old, or begun by somebody else or for another call', async () => {
  const [fay, eve] = [product.as('fay'), product.as('eve')];
  const { call } = await ask(fay);
  const { call: evesCall } = await ask(eve);
  const begin = async (client: TestClient, which: typeof call, person: string) => {
    const { url } = await client.chat.connectAccount(which);
    return accounts.agree(url ?? '', person);
  };
  const eves = await begin(eve, evesCall, 'eve-at-the-shop');
  // Eve has agreed and wants Fay to continue with it; and the other way round.
  for (const [client, which, state] of [
    [fay, call, eves.state],
    [fay, call, 'forged'],
    [fay, evesCall, eves.state],
    [eve, call, eves.state],
  ] as const)
    await expect(client.chat.accountConnected({ ...which, state, code: eves.code })).rejects.toMatchObject(
      which === call && client === fay ? refused : { status: 404 },
    );
  const old = await begin(fay, call, 'fay');
  await product.app.deps.db.owner.query(`update tool_login set expires_at = now() - interval '1 second'`);
  await expect(fay.chat.accountConnected({ ...call, ...old })).rejects.toMatchObject({ status: 400 });
  const { state, code } = await begin(fay, call, 'fay');
  // A code from another login proves nothing, and uses this login up.
  await expect(fay.chat.accountConnected({ ...call, state, code: eves.code })).rejects.toMatchObject({
    code: 'auth/provider-refused',
  });
  await expect(fay.chat.accountConnected({ ...call, state, code })).rejects.toMatchObject(refused);
  const good = await begin(fay, call, 'fay');
  const many = await Promise.allSettled(
    Array.from({ length: 5 }, () =>
      fay.chat.accountConnected({ ...call, state: good.state, code: good.code }),
    ),
  );
  expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await fay.toolAccount.list({})).accounts).toHaveLength(1);
  expect((await eve.toolAccount.list({})).accounts).toEqual([]);
});

test('an expired token is renewed, once for many concurrent calls', async () => {
  accounts.lifetimeSeconds = 10;
  const gina = product.as('gina');
  await connect(gina, (await ask(gina)).call, 'gina');
  accounts.lifetimeSeconds = 3600;
  accounts.grants.length = 0;
  const made = await Promise.all(Array.from({ length: 4 }, () => ask(gina)));
  expect(made.map((one) => one.made.toolCalls[0]?.state)).toEqual(['done', 'done', 'done', 'done']);
  expect(accounts.grants).toEqual(['refresh_token']);
  // Expired early: the service says so.
  accounts.endAccess();
  expect((await ask(gina)).made.toolCalls).toMatchObject([{ state: 'done' }]);
  expect(accounts.grants).toEqual(['refresh_token', 'refresh_token']);
});

test('an account revoked at the service is forgotten, and the same answer waits until it is reconnected', async () => {
  const hal = product.as('hal');
  await connect(hal, (await ask(hal)).call, 'hal');
  accounts.revoke('hal');
  const { made, call } = await ask(hal);
  expect(made).toMatchObject({ state: 'waiting', toolCalls: [{ state: 'waiting', waitsFor: 'account' }] });
  expect(made.toolCalls[0]?.service).toBe(accounts.host);
  expect((await hal.toolAccount.list({})).accounts).toEqual([]);
  const done = await connect(hal, call, 'hal-again');
  expect(done).toMatchObject({ state: 'complete', text: 'All done.', toolCalls: [{ state: 'done' }] });
  expect(told()).toContain('hal-again');
});

test('an account revoked while a call awaits confirmation is asked for, and the call is made once', async () => {
  calling('createOrder', { body: { item: 'Chair' } });
  const lou = product.as('lou');
  const { call } = await ask(lou);
  await connect(lou, call, 'lou');
  accounts.revoke('lou');
  const { answer: made } = await lou.chat.decideToolCall({ ...call, decision: 'allow' });
  expect(made).toMatchObject({ state: 'waiting', error: null, toolCalls: [{ waitsFor: 'account' }] });
  service.requests.length = 0;
  // A call already allowed is not asked about again.
  const done = await connect(lou, call, 'lou-again');
  expect(done).toMatchObject({ state: 'complete', text: 'All done.', toolCalls: [{ state: 'done' }] });
  expect(service.requests).toHaveLength(1);
});

test('if the person declines to reconnect, the model answers without the account', async () => {
  const mia = product.as('mia');
  await connect(mia, (await ask(mia)).call, 'mia');
  accounts.revoke('mia');
  const { answer: done } = await mia.chat.decideToolCall({ ...(await ask(mia)).call, decision: 'deny' });
  expect(done).toMatchObject({ state: 'complete', text: 'All done.', toolCalls: [{ state: 'denied' }] });
});

test('a person who disconnects is asked again', async () => {
  const ida = product.as('ida');
  await connect(ida, (await ask(ida)).call, 'ida');
  const [account] = (await ida.toolAccount.list({})).accounts;
  await ida.toolAccount.remove({ id: account?.id ?? '' });
  expect((await ask(ida)).made.toolCalls).toMatchObject([{ waitsFor: 'account' }]);
});

test('tokens are stored encrypted, shown to nobody, and sent only to the addresses they were issued for', async () => {
  const { agentId: another, toolId: itsTool } = await agentWithAccounts();
  const joe = product.as('joe');
  await connect(joe, (await ask(joe, another)).call, 'joe');
  const { owner } = product.app.deps.db;
  const { rows } = await owner.query(
    'select row::text from tool_account row union all select row::text from tool_call row',
  );
  const shown = JSON.stringify([
    rows,
    await joe.toolAccount.list({}),
    await ada.tool.get({ id: itsTool }),
    await ada.tool.listCalls({ id: itsTool }),
    await ada.audit.list({ organizationId }),
  ]);
  for (const token of [...accounts.tokens, accounts.clientSecret]) expect(shown).not.toContain(token);
  await ada.tool.update({
    id: itsTool,
    serverUrl: `${service.url}/elsewhere`,
    secret: accounts.clientSecret,
  });
  expect((await joe.toolAccount.list({})).accounts).toEqual([]);
  expect((await ask(joe, another)).made.toolCalls).toMatchObject([{ waitsFor: 'account' }]);
});

test('nobody’s account is used in a room', async () => {
  const { id } = (await ada.chat.create({ chatbotId: agentId, kind: 'game' })).conversation;
  const { answer: made } = await ada.chat.send({ id, text: 'Orders?' });
  expect(made.toolCalls).toMatchObject([{ state: 'refused' }]);
  expect(service.requests).toEqual([]);
});

test('a guest’s account follows them when they sign in', async () => {
  const guest = product.as('kim', 'guest');
  await connect(guest, (await ask(guest)).call, 'kim');
  const [guestId, personId] = [
    (await product.sessionOf('kim', 'guest')).user.uid,
    (await product.sessionOf('kim-herself')).user.uid,
  ];
  const { owner } = product.app.deps.db;
  await owner.query(`update "user" set is_anonymous = false where id = $1`, [personId]);
  await owner.query('select merge_guest($1, $2)', [guestId, personId]);
  await ask(product.as('kim-herself'));
  expect(told()).toContain('"kim"');
});

test('a member tries an operation with their own account, and a program with none', async () => {
  const tried = await ada.tool.test({ id: toolId, operationId: 'listOrders' });
  expect(tried).toMatchObject({ state: 'done' });
  expect(tried.response).toContain('ada-at-the-shop');
  expect(JSON.stringify(tried)).not.toContain(accounts.tokens.at(-1));
  const { secret } = await ada.apiKey.create({ organizationId, name: 'Program', scope: 'write' });
  const program = bearing(product, secret);
  expect(await program.tool.test({ id: toolId, operationId: 'listOrders' })).toMatchObject({
    state: 'refused',
  });
});

test('deleting the tool deletes the accounts', async () => {
  await ada.tool.remove({ id: toolId });
  expect((await product.as('bob').toolAccount.list({})).accounts).toEqual([]);
});
