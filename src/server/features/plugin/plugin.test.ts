import { afterAll, beforeAll, expect, test } from 'vitest';
import { PLUGINS_PER_AGENT_MAX } from '../../../contract/limits.ts';
import { join } from '../../../../test/join.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { bearing } from '../../../../test/visit.ts';

let product: Product;
let owner: TestClient;
let organizationId: string;
beforeAll(async () => {
  product = await startProduct();
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(() => product.close());

const makeAgent = async () => (await owner.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
const install = async (chatbotId: string) =>
  (await owner.plugin.create({ chatbotId, type: 'twitter', settingsData: {} })).plugin;

test('a plugin is installed on an agent, read, listed, paused and removed', async () => {
  const chatbotId = await makeAgent();
  const plugin = await install(chatbotId);
  expect(plugin).toMatchObject({
    chatbotId,
    organizationId,
    type: 'twitter',
    handle: 'twitter',
    status: 'active',
    connection: { isConnected: false, accountName: null },
  });
  const second = await install(chatbotId);
  expect((await owner.plugin.list({ chatbotId })).plugins.map(({ id }) => id)).toEqual([
    plugin.id,
    second.id,
  ]);
  const paused = (await owner.plugin.update({ id: plugin.id, status: 'paused' })).plugin;
  expect(paused).toMatchObject({ status: 'paused', settingsData: {} });
  expect(await owner.plugin.get({ id: plugin.id })).toEqual({ plugin: paused });
  expect(await owner.plugin.remove({ id: plugin.id })).toEqual({ deleted: true });
  await expect(owner.plugin.get({ id: plugin.id })).rejects.toMatchObject({ status: 404 });
  const { entries } = await owner.audit.list({ organizationId });
  expect(entries.filter(({ targetId }) => targetId === plugin.id).map(({ action }) => action)).toEqual([
    'plugin.remove',
    'plugin.update',
    'plugin.create',
  ]);
});

test('unknown settings and an unknown type are refused', async () => {
  const chatbotId = await makeAgent();
  const create = (values: object) =>
    owner.plugin.create({ chatbotId, type: 'twitter', settingsData: {}, ...values });
  await expect(create({ settingsData: { accessToken: 'x' } })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'settingsData.accessToken', message: 'This field is not known.' }],
  });
  await expect(create({ settingsData: [] })).rejects.toMatchObject({ status: 400 });
  await expect(create({ type: 'fax' })).rejects.toMatchObject({ status: 400 });
});

test('a member who does not see the agent does not see its plugins', async () => {
  const chatbotId = await makeAgent();
  const { id } = await install(chatbotId);
  const editor = await join(product, owner, 'editor', { organizationId, role: 'editor' });
  await editor.client.plugin.update({ id, status: 'paused' });
  await owner.team.create({ organizationId, name: 'Closed', agents: [chatbotId] });
  const hidden = { status: 404 };
  await expect(editor.client.plugin.get({ id })).rejects.toMatchObject(hidden);
  await expect(editor.client.plugin.list({ chatbotId })).rejects.toMatchObject(hidden);
  await expect(editor.client.plugin.update({ id, status: 'active' })).rejects.toMatchObject(hidden);
  await expect(editor.client.plugin.remove({ id })).rejects.toMatchObject(hidden);
});

test('a viewer does not see the secret by which a plugin’s service authenticates', async () => {
  const chatbotId = await makeAgent();
  const settingsData = { address: 'help@shop.example', name: 'The shop' };
  const { plugin } = await owner.plugin.create({ chatbotId, type: 'email', settingsData, credentials: {} });
  const { id, verifyToken } = plugin;
  expect(verifyToken).toMatch(/.{20,}/);
  const viewer = (await join(product, owner, 'looker', { organizationId, role: 'viewer' })).client;
  const { secret } = await owner.apiKey.create({ organizationId, name: 'Reads', scope: 'read' });
  for (const client of [viewer, bearing(product, secret)]) {
    const seen = [
      (await client.plugin.get({ id })).plugin,
      ...(await client.plugin.list({ chatbotId })).plugins,
    ];
    expect(seen.map((each) => each.verifyToken)).toEqual([null, null]);
  }
  const editor = (await join(product, owner, 'writer', { organizationId, role: 'editor' })).client;
  expect((await editor.plugin.get({ id })).plugin.verifyToken).toBe(verifyToken);
});

test('the plugins of a deleted agent are gone with it', async () => {
  const chatbotId = await makeAgent();
  const { id } = await install(chatbotId);
  await owner.chatbot.remove({ id: chatbotId, organizationId });
  await expect(owner.plugin.get({ id })).rejects.toMatchObject({ status: 404 });
  await owner.chatbot.remove({ id: chatbotId, organizationId, permanently: true });
  const { rowCount } = await product.app.deps.db.owner.query('select from plugin where id = $1', [id]);
  expect(rowCount).toBe(0);
});

test(`an agent has at most ${PLUGINS_PER_AGENT_MAX}`, async () => {
  const chatbotId = await makeAgent();
  for (let made = 0; made < PLUGINS_PER_AGENT_MAX; made += 1) await install(chatbotId);
  await expect(install(chatbotId)).rejects.toMatchObject({ status: 409 });
});

test('without an application at X nothing can be connected, and the error says so', async () => {
  const { id } = await install(await makeAgent());
  await expect(owner.plugin.connect({ id })).rejects.toMatchObject({
    status: 503,
    code: 'auth/provider-unavailable',
  });
});

test('settings that someone else has changed since they were read are not overwritten', async () => {
  const chatbotId = await makeAgent();
  const settingsData = { address: 'help@shop.example', name: 'The shop' };
  const { id } = (await owner.plugin.create({ chatbotId, type: 'email', settingsData, credentials: {} }))
    .plugin;
  const theirs = { ...settingsData, name: 'Our shop' };
  const mine = { ...settingsData, address: 'hello@shop.example' };
  const seen = { settingsData };
  await owner.plugin.update({ id, settingsData: theirs, seen });
  await expect(owner.plugin.update({ id, settingsData: mine, seen })).rejects.toMatchObject({
    status: 409,
    code: 'resource/conflict',
    errors: [{ path: 'settingsData', now: theirs }],
  });
  expect((await owner.plugin.get({ id })).plugin.settingsData).toEqual(theirs);
  // Not a conflict: what isn't changed here, and a save that knows theirs.
  await owner.plugin.update({ id, status: 'paused', seen });
  await owner.plugin.update({ id, settingsData: mine, seen: { settingsData: theirs } });
});
