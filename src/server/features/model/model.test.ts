import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFaultyProvider, type FaultyProvider } from '../../../../test/stand-ins/faulty-provider.ts';
import { startProduct, type Product } from '../../../../test/product.ts';
import { join } from '../../../../test/join.ts';
import type { ModelSettings } from '../../../contract/chatbot.ts';

const KEY = 'sk-own-canary-0123456789abcd';

let product: Product;
let installed: FaultyProvider;
let own: FaultyProvider;
let elsewhere: FaultyProvider;

beforeAll(async () => {
  installed = await startFaultyProvider();
  own = await startFaultyProvider();
  elsewhere = await startFaultyProvider();
  installed.pieces = ['From the installation.'];
  own.pieces = ['From our own account.'];
  product = await startProduct({
    providers: { openai: { apiKey: 'sk-installation', baseUrl: installed.baseUrl, model: 'small, large' } },
    // Of the two addresses people enter, one may be reached although it isn't public.
    ssrfAllowedHosts: [new URL(own.baseUrl).host],
    providerFailuresMax: 3,
    // Longer than some answers take on a busy machine.
    providerRestSeconds: 4,
  });
});
afterAll(async () => {
  await product.close();
  await Promise.all([installed.close(), own.close(), elsewhere.close()]);
});

async function newOrganization(name = 'ada') {
  const { organization } = await product.as(name).organization.create({ name: 'Acme' });
  return organization.id;
}

function account(organizationId: string) {
  const provider = 'openai' as const;
  return { organizationId, provider, baseUrl: own.baseUrl, apiKey: KEY, models: ['small'] };
}

async function newAgent(organizationId: string, modelSettings: Partial<ModelSettings> = {}) {
  const ada = product.as('ada');
  const { chatbot } = await ada.chatbot.create({ organizationId, name: 'Helper' });
  await ada.chatbot.update({ id: chatbot.id, organizationId, modelSettings });
  return chatbot.id;
}

async function say(chatbotId: string) {
  const ada = product.as('ada');
  const { conversation } = await ada.chat.create({ chatbotId });
  return (await ada.chat.send({ id: conversation.id, text: 'Who answers?' })).answer;
}

test("an organization's own account answers instead of the installation's, with its own key", async () => {
  const ada = product.as('ada');
  const organizationId = await newOrganization();
  const agentId = await newAgent(organizationId, { model: 'openai/small' });
  expect((await say(agentId)).text).toBe('From the installation.');
  const { provider } = await ada.model.setProvider(account(organizationId));
  expect(provider).toMatchObject({ baseUrl: own.baseUrl, apiKeyPreview: '…abcd', models: ['small'] });
  expect((await say(agentId)).text).toBe('From our own account.');
  expect(own.received.at(-1)?.authorization).toBe(`Bearer ${KEY}`);
  await ada.model.removeProvider({ organizationId, provider: 'openai' });
  expect((await say(agentId)).text).toBe('From the installation.');
  expect(installed.received.some(({ authorization }) => authorization?.includes('own-canary'))).toBe(false);
});

test('an agent of another organization does not use it', async () => {
  const organizationId = await newOrganization();
  await product.as('ada').model.setProvider(account(organizationId));
  const other = await newOrganization();
  expect((await say(await newAgent(other, { model: 'openai/small' }))).text).toBe('From the installation.');
});

test('agents may choose what is configured and nothing more expensive', async () => {
  const ada = product.as('ada');
  const organizationId = await newOrganization();
  await ada.model.setProvider({ ...account(organizationId), models: ['small', 'tiny'] });
  const { models } = await ada.model.list({ organizationId });
  expect(models.map(({ name, by, isDefault }) => [name, by, isDefault])).toEqual([
    ['openai/small', 'organization', true],
    ['openai/tiny', 'organization', false],
    ['openai/large', 'installation', false],
    ['parley/extractive', 'built-in', false],
  ]);
  const before = installed.asked;
  await say(await newAgent(await newOrganization(), { model: 'openai/gpt-dearest' }));
  expect(JSON.parse(installed.received.at(-1)?.body ?? '{}')).toMatchObject({ model: 'small' });
  expect(installed.asked).toBe(before + 1);
});

test('a key is stored encrypted and never returned', async () => {
  const ada = product.as('ada');
  const organizationId = await newOrganization();
  const answers: object[] = [
    await ada.model.setProvider(account(organizationId)),
    await ada.model.listProviders({ organizationId }),
    await ada.model.testProvider(account(organizationId)),
    await ada.audit.list({ organizationId }),
  ];
  own.fault = 'a 401';
  answers.push(await ada.model.testProvider(account(organizationId)));
  own.fault = 'none';
  expect(JSON.stringify(answers)).not.toContain('canary');
  const { rows } = await product.app.deps.db.owner.query(
    'select api_key from model_provider where organization_id = $1',
    [organizationId],
  );
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain('canary');
});

test('a ciphertext moved to another row is ignored', async () => {
  const ada = product.as('ada');
  const [one, two] = [await newOrganization(), await newOrganization()];
  await ada.model.setProvider(account(one));
  await ada.model.setProvider({ ...account(two), apiKey: 'sk-another-0123456789' });
  await product.app.deps.db.owner.query(
    `update model_provider set api_key = (select api_key from model_provider where organization_id = $1) where organization_id = $2`,
    [one, two],
  );
  const asked = own.asked;
  expect((await say(await newAgent(two, { model: 'openai/small' }))).text).toBe('From the installation.');
  expect(own.asked).toBe(asked);
});

test('a new address requires the key again, to save and to test it', async () => {
  const ada = product.as('ada');
  const organizationId = await newOrganization();
  await ada.model.setProvider(account(organizationId));
  const { apiKey: _, ...moved } = { ...account(organizationId), baseUrl: elsewhere.baseUrl };
  const refusal = { status: 400, code: 'model/key-needed' };
  await expect(ada.model.setProvider(moved)).rejects.toMatchObject(refusal);
  await expect(ada.model.testProvider(moved)).rejects.toMatchObject(refusal);
  await expect(ada.model.testProvider({ ...moved, baseUrl: null })).rejects.toMatchObject(refusal);
  expect(elsewhere.asked).toBe(0);
  // Another spelling of the same address is the same.
  const same = { ...moved, baseUrl: `${own.baseUrl.replace('http', 'HTTP')}/`, models: ['tiny'] };
  expect((await ada.model.setProvider(same)).provider).toMatchObject({
    models: ['tiny'],
    apiKeyPreview: '…abcd',
  });
  expect(await ada.model.testProvider(same)).toMatchObject({ works: true });
});

test('a provider requires a key, and a compatible server an address', async () => {
  const ada = product.as('ada');
  const organizationId = await newOrganization();
  const settings = { organizationId, models: ['small'] };
  await expect(ada.model.setProvider({ ...settings, provider: 'anthropic' })).rejects.toMatchObject({
    code: 'model/key-needed',
  });
  await expect(ada.model.setProvider({ ...settings, provider: 'compatible' })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'baseUrl' }],
  });
  for (const baseUrl of ['https://me:secret@models.example/v1', 'https://models.example/v1?key=1']) {
    await expect(
      ada.model.setProvider({ ...settings, provider: 'compatible', baseUrl }),
    ).rejects.toMatchObject({ status: 400, errors: [{ path: 'baseUrl' }] });
  }
  await expect(
    ada.model.setProvider({ ...settings, provider: 'openai', apiKey: 'two\r\nlines' }),
  ).rejects.toMatchObject({ status: 400, errors: [{ path: 'apiKey' }] });
  await expect(ada.model.removeProvider({ organizationId, provider: 'google' })).rejects.toMatchObject({
    status: 404,
  });
});

test('an internal address is never reached, whoever names it', async () => {
  const ada = product.as('ada');
  const organizationId = await newOrganization();
  const { port } = new URL(elsewhere.baseUrl);
  for (const host of [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '0.0.0.0',
    '169.254.169.254',
    '[::ffff:127.0.0.1]',
  ]) {
    const inner = { ...account(organizationId), baseUrl: `http://${host}:${port}/v1` };
    const trial = await ada.model.testProvider(inner);
    expect(trial).toMatchObject({ works: false });
    expect(trial.detail).toContain('not public');
    await ada.model.setProvider({ ...inner, provider: 'compatible' });
    expect((await say(await newAgent(organizationId, { model: 'compatible/small' }))).state).toBe('failed');
  }
  expect(elsewhere.asked).toBe(0);
});

test('a redirect is not followed: the key stays with the host it was given for', async () => {
  const ada = product.as('ada');
  own.fault = 'a redirect';
  const organizationId = await newOrganization();
  expect(await ada.model.testProvider(account(organizationId))).toMatchObject({
    works: false,
    detail: 'The provider answered 307.',
  });
  own.fault = 'none';
});

test('a test explains what is wrong in our own words', async () => {
  const ada = product.as('ada');
  const organizationId = await newOrganization();
  const tried = async () => (await ada.model.testProvider(account(organizationId))).detail;
  expect(await tried()).toBe('The model answered.');
  own.fault = 'a 401';
  expect(await tried()).toBe('The provider refused the key (401).');
  own.fault = 'no word';
  expect(await tried()).toBe('The model returned an empty answer.');
  own.fault = 'a page in place of events';
  expect(await tried()).toBe('The model’s answer was cut off.');
  own.fault = 'none';
});

test('members who manage the organization set up providers; those who see agents see them', async () => {
  const organizationId = await newOrganization();
  const ada = product.as('ada');
  await ada.model.setProvider(account(organizationId));
  for (const role of ['editor', 'viewer'] as const) {
    const { client: member } = await join(product, ada, `${role}-of-models`, { organizationId, role });
    expect((await member.model.listProviders({ organizationId })).providers).toHaveLength(1);
    await expect(member.model.setProvider(account(organizationId))).rejects.toMatchObject({ status: 403 });
    await expect(member.model.testProvider(account(organizationId))).rejects.toMatchObject({ status: 403 });
  }
  const entries = (await ada.audit.list({ organizationId, action: 'model.setProvider' })).entries;
  expect(entries).toMatchObject([
    { targetName: 'openai', after: { baseUrl: own.baseUrl, models: ['small'] } },
  ]);
});

test('after several consecutive failures an account is paused, and then one request tries it', async () => {
  const ada = product.as('ada');
  const organizationId = await newOrganization();
  await ada.model.setProvider(account(organizationId));
  const agentId = await newAgent(organizationId, { model: 'openai/small', fallbacks: ['openai/large'] });
  own.fault = 'a 401';
  const asked = own.asked;
  for (let index = 0; index < 6; index += 1) expect((await say(agentId)).state).toBe('complete');
  expect(own.asked - asked).toBe(3);
  // Nobody else's account is paused with it.
  const other = await newOrganization();
  await ada.model.setProvider(account(other));
  own.fault = 'none';
  expect((await say(await newAgent(other, { model: 'openai/small' }))).text).toBe('From our own account.');
  expect((await say(agentId)).text).toBe('From the installation.');
  await expect
    .poll(async () => (await say(agentId)).text, { interval: 500, timeout: 60_000 })
    .toBe('From our own account.');
});

test('a change by another process takes effect within seconds', async () => {
  const organizationId = await newOrganization();
  const agentId = await newAgent(organizationId, { model: 'openai/small' });
  await product.as('ada').model.setProvider(account(organizationId));
  expect((await say(agentId)).text).toBe('From our own account.');
  await product.app.deps.db.owner.query('delete from model_provider where organization_id = $1', [
    organizationId,
  ]);
  await expect
    .poll(async () => (await say(agentId)).text, { timeout: 30_000, interval: 500 })
    .toBe('From the installation.');
});
