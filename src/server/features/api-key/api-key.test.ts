import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, startProduct, type Product, type TestClient } from '../../../../test/product.ts';

let product: Product;
let owner: TestClient;
let organizationId: string;
beforeAll(async () => {
  product = await startProduct();
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(() => product.close());

function program(secret: string): TestClient {
  return connect({ baseUrl: product.url, token: () => secret });
}

async function makeKey(scope: 'read' | 'write') {
  const { apiKey, secret } = await owner.apiKey.create({ organizationId, name: `For ${scope}`, scope });
  return { ...apiKey, secret, client: program(secret) };
}

test('a key is shown once and stored as a hash', async () => {
  const { id, secret, preview } = await makeKey('read');
  expect(secret).toMatch(/^parley_[\w-]{43}$/);
  expect(preview).toBe(`${secret.slice(0, 11)}…${secret.slice(-4)}`);
  const listed = await owner.apiKey.list({ organizationId });
  expect(listed.apiKeys[0]).toMatchObject({ id, preview, name: 'For read', scope: 'read', lastUsedAt: null });
  expect(JSON.stringify(listed)).not.toContain(secret);
  const { rows } = await product.app.deps.db.owner.query<{ row: string }>(
    `select api_key::text as row from api_key union all select audit_entry::text from audit_entry`,
  );
  expect(rows.filter(({ row }) => row.includes(secret.slice(8)))).toEqual([]);
});

test('a repeat under one Idempotency-Key returns the same key, which is stored encrypted', async () => {
  const make = () =>
    owner.apiKey.create(
      { organizationId, name: 'Once', scope: 'read' },
      { headers: { 'idempotency-key': 'key' } },
    );
  const [first, second] = [await make(), await make()];
  expect(second).toEqual(first);
  const { rows } = await product.app.deps.db.owner.query('select answer from idempotency_key');
  expect(rows).not.toEqual([]);
  expect(JSON.stringify(rows)).not.toContain(first.secret);
});

test('a read key has the access of a viewer of all agents', async () => {
  const { client } = await makeKey('read');
  const { chatbot } = await owner.chatbot.create({ organizationId, name: 'Helper' });
  await owner.team.create({ organizationId, name: 'Closed', agents: [chatbot.id] });
  const { chatbots } = await client.chatbot.list({ organizationId });
  expect(chatbots.map(({ id }) => id)).toContain(chatbot.id);
  await expect(client.chatbot.get({ id: chatbot.id, organizationId })).resolves.toBeTruthy();
  await expect(client.knowledge.list({ id: chatbot.id })).resolves.toMatchObject({ allKnowledge: [] });
  expect((await client.organization.list()).organizations.map(({ id }) => id)).toEqual([organizationId]);
  expect(await client.organization.selfRole({ orgId: organizationId })).toEqual({ role: 'viewer' });
  const write = client.chatbot.update({ id: chatbot.id, organizationId, name: 'Mine' });
  await expect(write).rejects.toMatchObject({ status: 403 });
});

test('a write key has the access of an editor of all agents, and its name appears in the log', async () => {
  const { client } = await makeKey('write');
  const { chatbot } = await client.chatbot.create({ organizationId, name: 'By a program' });
  await client.knowledge.create({ id: chatbot.id, organizationId, type: 'text', description: 'Some text.' });
  const media = new File(['A plain text.'], 'note.txt', { type: 'text/plain' });
  await expect(client.file.upload({ organizationId, media })).resolves.toBeTruthy();
  const { entries } = await owner.audit.list({ organizationId, action: 'chatbot.create' });
  expect(entries[0]).toMatchObject({
    actorId: null,
    actorName: 'API key For write',
    targetName: 'By a program',
  });
});

test('no key manages the organization or does what requires a person', async () => {
  const { client, id } = await makeKey('write');
  const { members } = await owner.member.list({ orgId: organizationId });
  const memberId = members[0]?.id ?? '';
  const tries: (() => Promise<unknown>)[] = [
    () => client.organization.create({ name: 'Mine' }),
    () => client.organization.updateProfile({ id: organizationId, name: 'Mine' }),
    () => client.organization.transfer({ id: organizationId, memberId }),
    () => client.organization.leave({ id: organizationId }),
    () => client.member.update({ id: memberId, role: 'viewer' }),
    () => client.member.invite({ organizationId, email: 'a@example.com', role: 'admin' }),
    () => client.member.listInvites({ orgId: organizationId }),
    () => client.team.create({ organizationId, name: 'Mine' }),
    () => client.apiKey.create({ organizationId, name: 'Another', scope: 'write' }),
    () => client.apiKey.list({ organizationId }),
    () => client.apiKey.revoke({ id }),
    () => client.audit.list({ organizationId }),
    () => client.chat.list(),
    () => client.member.getInvite({ token: 'x' }),
    () => client.user.get({ id: members[0]?.userId ?? '' }),
  ];
  for (const attempt of tries) await expect(attempt()).rejects.toMatchObject({ status: 403 });
  const seen = await client.member.list({ orgId: organizationId });
  expect(seen.members.map(({ email }) => email)).toEqual([null]);
});

test('a key opens no other organization, not even another of its creator’s', async () => {
  const { client } = await makeKey('write');
  const other = (await owner.organization.create({ name: 'Other' })).organization.id;
  const { chatbot } = await owner.chatbot.create({ organizationId: other, name: 'Theirs' });
  const tries: (() => Promise<unknown>)[] = [
    () => client.chatbot.list({ organizationId: other }),
    () => client.chatbot.get({ id: chatbot.id, organizationId: other }),
    () => client.chatbot.get({ id: chatbot.id, organizationId }),
    () => client.chatbot.create({ organizationId: other, name: 'Mine' }),
    () => client.knowledge.list({ id: chatbot.id }),
    () => client.organization.get({ id: other }),
  ];
  for (const attempt of tries) await expect(attempt()).rejects.toMatchObject({ status: 404 });
});

test('a revoked key is refused at once', async () => {
  const { client, id } = await makeKey('read');
  await client.chatbot.list({ organizationId });
  expect(await owner.apiKey.revoke({ id })).toEqual({ revoked: true });
  await expect(client.chatbot.list({ organizationId })).rejects.toMatchObject({ status: 401 });
  await expect(owner.apiKey.revoke({ id })).rejects.toMatchObject({ status: 404 });
  expect((await owner.apiKey.list({ organizationId })).apiKeys.map((key) => key.id)).not.toContain(id);
});

test('its last use is recorded', async () => {
  const { client, id } = await makeKey('read');
  await client.chatbot.list({ organizationId });
  const { apiKeys } = await owner.apiKey.list({ organizationId });
  const lastUsedAt = apiKeys.find((key) => key.id === id)?.lastUsedAt;
  expect(Date.now() - Date.parse(lastUsedAt ?? '')).toBeLessThan(10_000);
});

test.each(['parley_', 'parley_wrong', `parley_${'A'.repeat(43)}`])('%s is not a key', async (secret) => {
  await expect(program(secret).organization.list()).rejects.toMatchObject({
    status: 401,
    code: 'auth/unauthenticated',
  });
});

test('a key counts only in the Authorization header', async () => {
  const { secret } = await makeKey('read');
  const url = `${product.url}/v1/chatbot?organizationId=${organizationId}`;
  const elsewhere: [string, Record<string, string>][] = [
    [url, { 'x-api-key': secret }],
    [url, { cookie: `auth-token=${secret}` }],
    [url, { 'id-token': secret }],
    [url, { authorization: `Basic ${secret}` }],
  ];
  for (const [address, headers] of elsewhere) expect((await fetch(address, { headers })).status).toBe(401);
  expect((await fetch(`${url}&token=${secret}`)).status).toBe(401);
  expect((await fetch(url, { headers: { authorization: `Bearer ${secret}` } })).status).toBe(200);
});

test('a write by a key with an Idempotency-Key happens once', async () => {
  const { client } = await makeKey('write');
  const create = () =>
    client.chatbot.create({ organizationId, name: 'Once' }, { headers: { 'idempotency-key': 'one' } });
  const [first, second] = [await create(), await create()];
  expect(second.chatbot.id).toBe(first.chatbot.id);
});
