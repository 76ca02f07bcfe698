import { decodeJwt } from 'jose';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { bearing, visit } from '../../../../test/visit.ts';
import { forgetIdle } from './store.ts';

let product: Product;
let owner: TestClient;
let organizationId: string;
beforeAll(async () => {
  product = await startProduct();
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(() => product.close());

async function makeAgent(name = 'Helper') {
  return (await owner.chatbot.create({ organizationId, name })).chatbot;
}

const noAgent = {
  status: 404,
  code: 'resource/not-found',
  message: 'This agent could not be found: it was deleted or moved, or you do not have access.',
};

const query = (sql: string, values: unknown[]) => product.app.deps.db.owner.query(sql, values);

test('a visitor of a public agent chats with it, by its id or handle, and learns nothing more of it', async () => {
  const { id, handle } = await makeAgent();
  await owner.chatbot.update({ id, organizationId, customInstructions: 'A secret of the house.' });
  for (const name of [id, handle]) {
    const made = await visit(product, name);
    expect(made.agent).toMatchObject({ id, name: 'Helper' });
    expect(JSON.stringify(made)).not.toContain('A secret of the house.');
    const { chat } = bearing(product, made.token);
    const { conversation } = await chat.create({ chatbotId: id });
    const { answer } = await chat.send({ id: conversation.id, text: 'When do you open?' });
    expect(answer.role).toBe('assistant');
    expect((await chat.list()).conversations.map((own) => own.id)).toEqual([conversation.id]);
  }
});

test('a caller bound to one agent need not name it, and everybody else must', async () => {
  const { id } = await makeAgent();
  const { apiKey } = await owner.visitor.rotateApiKey({ id });
  for (const token of [(await visit(product, id)).token, apiKey]) {
    const { conversation } = await bearing(product, token).chat.create({ title: 'Hours', text: 'Open?' });
    expect(conversation).toMatchObject({ title: 'Hours', agent: { id } });
  }
  await expect(owner.chat.create({ title: 'Hours', text: 'Open?' })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'chatbotId' }],
  });
});

test('private, deleted and unknown agents do not exist for visitors', async () => {
  const [hidden, deleted] = [await makeAgent(), await makeAgent()];
  await owner.chatbot.update({ id: hidden.id, organizationId, isPublic: false });
  await owner.chatbot.remove({ id: deleted.id, organizationId });
  for (const name of [hidden.id, hidden.handle, deleted.id, deleted.handle, 'agt_nobody', 'nobody', '%'])
    await expect(visit(product, name)).rejects.toMatchObject(noAgent);
});

test('an inaccessible agent and one that never existed get the same answer', async () => {
  const { id } = await makeAgent();
  await owner.chatbot.update({ id, organizationId, isPublic: false });
  const stranger = product.as('stranger');
  for (const chatbotId of [id, 'agt_01arz3ndektsv4rrffq69g5fav']) {
    await expect(stranger.chat.create({ chatbotId })).rejects.toMatchObject(noAgent);
    await expect(stranger.knowledge.list({ id: chatbotId })).rejects.toMatchObject(noAgent);
    await expect(stranger.chatbot.getPublic({ idOrHandle: chatbotId })).rejects.toMatchObject(noAgent);
  }
});

test('an agent that becomes private or is deleted is gone for its visitors at once', async () => {
  const { id } = await makeAgent();
  const { chat, chatbot } = bearing(product, (await visit(product, id)).token);
  const { conversation } = await chat.create({ chatbotId: id });
  await owner.chatbot.update({ id, organizationId, isPublic: false });
  const gone = { status: 404 };
  await expect(chat.create({ chatbotId: id })).rejects.toMatchObject(gone);
  await expect(chat.send({ id: conversation.id, text: 'Hello?' })).rejects.toMatchObject(gone);
  await expect(chatbot.getPublic({ idOrHandle: id })).rejects.toMatchObject(gone);
  await owner.chatbot.update({ id, organizationId, isPublic: true });
  await chat.send({ id: conversation.id, text: 'Hello?' });
  await owner.chatbot.remove({ id, organizationId });
  await expect(chat.get({ id: conversation.id })).rejects.toMatchObject(gone);
});

test('a token is valid for one agent and one visitor', async () => {
  const [mine, other] = [await makeAgent(), await makeAgent('Other')];
  const { chat, chatbot } = bearing(product, (await visit(product, mine.id)).token);
  const neighbour = bearing(product, (await visit(product, mine.id)).token);
  const theirs = (await neighbour.chat.create({ chatbotId: mine.id })).conversation.id;
  await expect(chat.create({ chatbotId: other.id })).rejects.toMatchObject({ status: 404 });
  await expect(chatbot.getPublic({ idOrHandle: other.id })).rejects.toMatchObject({ status: 404 });
  await expect(chat.get({ id: theirs })).rejects.toMatchObject({ status: 404 });
  await expect(chat.send({ id: theirs, text: 'Hello' })).rejects.toMatchObject({ status: 404 });
  expect((await chat.list()).conversations).toEqual([]);
});

test('uploads and sockets outside the contract are closed to visitors too', async () => {
  const { id } = await makeAgent();
  const { token } = await visit(product, id);
  const upload = await fetch(`${product.url}/v1/file/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0', 'upload-length': '10' },
  });
  expect(upload.status).toBe(403);
  const socket = io(product.url, {
    transports: ['websocket'],
    auth: { idToken: token },
    reconnection: false,
  });
  const refused = await new Promise((resolve) => {
    socket.on('connect_error', () => resolve(true));
    socket.on('connect', () => resolve(false));
  });
  socket.close();
  expect(refused).toBe(true);
});

test('a visitor who returns with their refresh token finds the conversation', async () => {
  const { id } = await makeAgent();
  const first = await visit(product, id);
  const { conversation } = await bearing(product, first.token).chat.create({ chatbotId: id });
  const again = await visit(product, id, { refreshToken: first.refreshToken ?? '' });
  expect(again).toMatchObject({ visitorId: first.visitorId, refreshToken: first.refreshToken });
  const { conversations } = await bearing(product, again.token).chat.list();
  expect(conversations.map((own) => own.id)).toEqual([conversation.id]);
});

test('a refresh token is useless at another agent, after 30 days, or when invalid', async () => {
  const [{ id }, other] = [await makeAgent(), await makeAgent('Other')];
  const { visitorId, refreshToken } = await visit(product, id);
  const come = async (agentId: string, secret = refreshToken ?? '') =>
    (await visit(product, agentId, { refreshToken: secret })).visitorId;
  expect(await come(other.id)).not.toBe(visitorId);
  expect(await come(id, 'x')).not.toBe(visitorId);
  const age = (days: number) =>
    query(`update visitor set last_seen_at = now() - make_interval(days => $2) where id = $1`, [
      visitorId,
      days,
    ]);
  await age(29);
  expect(await come(id)).toBe(visitorId);
  // That visit counted as being seen.
  expect(await come(id)).toBe(visitorId);
  await age(31);
  expect(await come(id)).not.toBe(visitorId);
});

test('the token is valid for an hour and names its agent, and its refresh token is stored as a hash', async () => {
  const { id } = await makeAgent();
  const { token, refreshToken, expiresAt } = await visit(product, id, { site: 'https://shop.example' });
  const { exp = 0, iat = 0, ...claims } = decodeJwt(token);
  expect(exp - iat).toBe(3600);
  expect(Math.abs(Date.parse(expiresAt) - exp * 1000)).toBeLessThan(1000);
  expect(claims).toMatchObject({ agent: id, site: 'https://shop.example' });
  const { rows } = await query('select visitor::text as row from visitor', []);
  expect(JSON.stringify(rows)).not.toContain(refreshToken);
});

test('a visitor’s user is deleted with the agent, or after a day without a conversation', async () => {
  const [{ id }, other] = [await makeAgent(), await makeAgent('Other')];
  const { visitorId, token } = await visit(product, id);
  const userId = decodeJwt(token).sub ?? '';
  const count = async () =>
    (
      await query('select from "user" where id = $1 union all select from visitor where id = $2', [
        userId,
        visitorId,
      ])
    ).rowCount;
  expect(await count()).toBe(2);
  await owner.chatbot.remove({ id, organizationId, permanently: true });
  expect(await count()).toBe(0);

  const [silent, talking] = [await visit(product, other.id), await visit(product, other.id)];
  await bearing(product, talking.token).chat.create({ chatbotId: other.id });
  const left = async (hours: number) => {
    await query(`update visitor set last_seen_at = now() - make_interval(hours => $2) where agent_id = $1`, [
      other.id,
      hours,
    ]);
    await forgetIdle(product.app.deps.db);
    const { rows } = await query('select id from visitor where agent_id = $1 order by id', [other.id]);
    return rows.map(({ id }: { id: string }) => id);
  };
  expect(await left(23)).toEqual([silent.visitorId, talking.visitorId].toSorted());
  expect(await left(25)).toEqual([talking.visitorId]);
  expect(await left(25 * 400)).toEqual([talking.visitorId]);
});

test('a program with the agent’s key chats for its end users, each with their own conversations', async () => {
  const { id } = await makeAgent();
  const { apiKey, access } = await owner.visitor.rotateApiKey({ id });
  expect(apiKey).toMatch(/^parleyagent_[\w-]{43}$/);
  expect(access.apiKeyPreview).toBe(`${apiKey.slice(0, 16)}…${apiKey.slice(-4)}`);
  const [one, two, itself] = ['one', 'two', undefined].map((endUser) =>
    bearing(product, apiKey, endUser === undefined ? {} : { 'end-user': endUser }),
  ) as [TestClient, TestClient, TestClient];
  const { conversation } = await one.chat.create({ chatbotId: id, text: 'Hello' });
  expect((await one.chat.list()).conversations.map((own) => own.id)).toEqual([conversation.id]);
  for (const other of [two, itself]) {
    expect((await other.chat.list()).conversations).toEqual([]);
    await expect(other.chat.get({ id: conversation.id })).rejects.toMatchObject({ status: 404 });
  }
  // It belongs to the members: the agent may be private.
  await owner.chatbot.update({ id, organizationId, isPublic: false, allowedOrigins: ['https://a.example'] });
  await two.chat.create({ chatbotId: id });
  const { rows } = await query('select agent_access::text as row from agent_access', []);
  expect(JSON.stringify(rows)).not.toContain(apiKey.slice(12));
});

test('a new key invalidates the old one at once, and a revoked key opens nothing', async () => {
  const { id } = await makeAgent();
  const first = (await owner.visitor.rotateApiKey({ id })).apiKey;
  await bearing(product, first).chat.list();
  const second = (await owner.visitor.rotateApiKey({ id })).apiKey;
  await expect(bearing(product, first).chat.list()).rejects.toMatchObject({ status: 401 });
  await bearing(product, second).chat.list();
  expect((await owner.visitor.removeApiKey({ id })).access.apiKeyPreview).toBeNull();
  await expect(bearing(product, second).chat.list()).rejects.toMatchObject({ status: 401 });
  await expect(bearing(product, 'parleyagent_').chat.list()).rejects.toMatchObject({ status: 401 });
});

test('an end user of a program needs a name that can be stored', async () => {
  const { id } = await makeAgent();
  const { apiKey } = await owner.visitor.rotateApiKey({ id });
  for (const name of ['x'.repeat(256), 'two words', 'caf\u00e9'])
    await expect(bearing(product, apiKey, { 'end-user': name }).chat.list()).rejects.toMatchObject({
      status: 400,
    });
});

test('the audit log records that a secret was created, not its value', async () => {
  const { id } = await makeAgent();
  const { secret } = await owner.visitor.rotateEmbedSecret({ id });
  const { apiKey } = await owner.visitor.rotateApiKey({ id });
  const { entries } = await owner.audit.list({ organizationId });
  const made = entries.filter((entry) => entry.targetId === id).map(({ action }) => action);
  expect(made).toEqual(expect.arrayContaining(['visitor.rotateEmbedSecret', 'visitor.rotateApiKey']));
  for (const hidden of [secret, apiKey]) expect(JSON.stringify(entries)).not.toContain(hidden);
});
