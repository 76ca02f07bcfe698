import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../../test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

const locationOf = async (name: string) => {
  const { uid: id } = (await product.sessionOf(name, 'guest')).user;
  return (await product.as(name, 'guest').user.get({ id })).user.location;
};

test('a suggested location comes from the trusted proxy, and is stored only when the person confirms it', async () => {
  const { idToken, user } = await product.sessionOf('placed', 'guest');
  const guess = async (headers: Record<string, string>) => {
    const response = await fetch(`${product.url}/v1/user/location/guess`, {
      headers: { authorization: `Bearer ${idToken}`, ...headers },
    });
    return ((await response.json()) as { location: unknown }).location;
  };
  const said = { 'cf-ipcountry': 'PT', 'x-vercel-ip-city': 'S%C3%A3o%20Jo%C3%A3o' };
  expect(await guess({ ...said, 'x-forwarded-for': '10.1.2.3' })).toEqual({
    country: 'PT',
    city: 'São João',
  });
  // Without a proxy in front, anybody could have set these headers.
  expect(await guess(said)).toEqual({});
  expect(await guess({ 'cf-ipcountry': 'XX', 'x-forwarded-for': '10.1.2.3' })).toEqual({});
  expect((await product.as('placed', 'guest').user.get({ id: user.uid })).user).toMatchObject({
    location: null,
  });
});

test('no location is known until the person provides it, and each part is stored separately', async () => {
  const { user } = product.as('wanderer', 'guest');
  expect(await locationOf('wanderer')).toBeNull();
  await user.setLocation({});
  expect(await locationOf('wanderer')).toBeNull();
  await user.setLocation({ timezone: 'Europe/Berlin' });
  await user.setLocation({ city: 'Potsdam', country: 'Germany' });
  expect(await locationOf('wanderer')).toEqual({
    country: 'Germany',
    region: '',
    city: 'Potsdam',
    postal: '',
    timezone: 'Europe/Berlin',
  });
  await user.setLocation({ city: '', country: '', timezone: '' });
  expect(await locationOf('wanderer')).toBeNull();
});

test.each(['Mars/Olympus', '../etc', "x'; drop table user"])('%s is not a time zone', async (timezone) => {
  await expect(product.as('lost', 'guest').user.setLocation({ timezone })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'timezone' }],
  });
});

test('others see neither a person’s address nor their location', async () => {
  const { user } = await product.sessionOf('ines');
  await product.as('ines').user.setLocation({ city: 'Porto' });
  await expect(product.as('other').user.get({ id: user.uid })).rejects.toMatchObject({ status: 404 });
  const { user: seen } = await product
    .as('x', 'anonymous')
    .user.getByUsername({ username: user.username ?? '' });
  expect(Object.keys(seen).toSorted()).toEqual(['name', 'profilePhoto', 'uid', 'username']);
});

test('a location cannot be set for somebody else', async () => {
  const { idToken } = await product.sessionOf('lost', 'guest');
  const response = await fetch(`${product.url}/v1/user/location`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${idToken}` },
    body: JSON.stringify({ city: 'X', uid: (await product.sessionOf('ines')).user.uid }),
  });
  expect(response.status).toBe(400);
});

const done = async (name: string) => {
  const { onboarding } = await product.as(name).user.getOnboarding();
  return onboarding.steps.filter((step) => step.done).map(({ event }) => event);
};

test('an onboarding step is completed by doing it', async () => {
  const { organization, chatbot, knowledge, chat } = product.as('newcomer');
  expect(await done('newcomer')).toEqual([]);
  const { organization: made } = await organization.create({ name: 'New' });
  expect(await done('newcomer')).toEqual(['organization-created']);
  const { chatbot: agent } = await chatbot.create({ organizationId: made.id, name: 'Helper' });
  expect(await done('newcomer')).toEqual(['organization-created', 'agent-created']);
  await knowledge.create({
    id: agent.id,
    organizationId: made.id,
    type: 'text',
    description: 'Hours',
    text: 'Nine to five.',
  });
  await chat.create({ chatbotId: agent.id });
  expect(await done('newcomer')).toEqual([
    'organization-created',
    'agent-created',
    'knowledge-added',
    'asked',
  ]);
  await product
    .as('newcomer')
    .member.invite({ organizationId: made.id, email: 'friend@example.com', role: 'viewer' });
  expect(await done('newcomer')).toContain('invited');
});

test('a step can be marked as done repeatedly, and the list can be dismissed', async () => {
  const { user } = product.as('sayer');
  for (let time = 0; time < 2; time += 1) await user.recordOnboarding({ event: 'shared' });
  const { onboarding } = await user.recordOnboarding({ event: 'dismissed' });
  expect(onboarding.dismissed).toBe(true);
  expect(onboarding.steps.filter((step) => step.done)).toEqual([{ event: 'shared', done: true }]);
  expect(onboarding.steps.map(({ event }) => event)).not.toContain('dismissed');
  expect(await done('somebody-else')).toEqual([]);
});
