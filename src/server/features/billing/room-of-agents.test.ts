import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { metadata, tusOf } from '../../../../test/tus.ts';
import { plans } from '../../../contract/plans.ts';

/** The plan room that agents and everything attached to them need: in the trash, restored, and in another organization. */

const plan = { ...plans.FREE_PLAN, agents: 10, largestFileBytes: 20_000 };

let product: Product;
let ada: TestClient;
let organizationId: string;

beforeAll(async () => {
  product = await startProduct({ billing: { mode: 'on', plans: { ...plans, FREE_PLAN: plan } } });
  ada = product.as('ada');
});
afterAll(() => product.close());
beforeEach(async () => {
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
});

const countsOf = async () => (await ada.billing.getUsage({ organizationId })).usage.counts;
const makeAgent = async (name = 'Helper') => (await ada.chatbot.create({ organizationId, name })).chatbot.id;

test('the message about a full plan fits whatever is full', async () => {
  await ada.product.create({ organizationId, agentId: await makeAgent() });
  const response = await fetch(`${product.url}/v1/billing/product`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${(await product.sessionOf('ada')).idToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ organizationId, agentId: await makeAgent() }),
  });
  expect(await response.json()).toMatchObject({
    code: 'quota/exceeded',
    title: 'This organization has reached its plan’s limit.',
    detail: 'The Free plan has room for 1 product. Remove something or choose a larger plan.',
  });
});

test('products of an agent in the trash take no room, and need it again when the agent is restored', async () => {
  const [first, other] = [await makeAgent(), await makeAgent()];
  await ada.product.create({ organizationId, agentId: first });
  await ada.chatbot.remove({ id: first, organizationId });
  expect(await countsOf()).toMatchObject({ products: 0 });
  await ada.product.create({ organizationId, agentId: other });
  const restore = () => ada.agentKeeping.restore({ id: first, organizationId });
  await expect(restore()).rejects.toMatchObject({
    status: 402,
    message: expect.stringContaining('1 product'),
  });
  const bare = await makeAgent();
  await ada.chatbot.remove({ id: bare, organizationId });
  await ada.agentKeeping.restore({ id: bare, organizationId });
  await ada.chatbot.remove({ id: other, organizationId });
  await restore();
  expect(await countsOf()).toMatchObject({ products: 1 });
});

test('an agent is moved with its tools and products only if the plan has room for them', async () => {
  const other = (await ada.organization.create({ name: 'Other' })).organization.id;
  const move = (id: string) =>
    ada.agentKeeping.transfer({ id, organizationId: other, toOrganizationId: organizationId, name: 'Mover' });
  const makeMover = async () =>
    (await ada.chatbot.create({ organizationId: other, name: 'Mover' })).chatbot.id;

  const selling = await makeMover();
  await ada.product.create({ organizationId: other, agentId: selling });
  await ada.product.create({ organizationId, agentId: await makeAgent() });
  await expect(move(selling)).rejects.toMatchObject({
    status: 402,
    message: expect.stringContaining('1 product'),
  });

  const equipped = await makeMover();
  const { owner } = product.app.deps.db;
  await owner.query(`update organization set plan_type = 'HOBBY' where id = $1`, [other]);
  for (let made = 0; made <= plan.toolsAnAgent; made += 1)
    await ada.tool.create({ organizationId: other, agentId: equipped });
  await expect(move(equipped)).rejects.toMatchObject({
    status: 402,
    message: expect.stringContaining('3 tools'),
  });
  const { tools } = await ada.tool.list({ agentId: equipped });
  await ada.tool.remove({ id: tools[0]?.id ?? '' });
  await move(equipped);
});

test('an agent is moved with its files only if the plan allows files of their size', async () => {
  const other = (await ada.organization.create({ name: 'Other' })).organization.id;
  const { owner } = product.app.deps.db;
  await owner.query(`update organization set plan_type = 'HOBBY' where id = $1`, [other]);
  const { chatbot } = await ada.chatbot.create({ organizationId: other, name: 'Mover' });
  const media = new File(['word '.repeat(plan.largestFileBytes / 4)], 'long.txt');
  const { file } = await ada.file.upload({ organizationId: other, media });
  const files = [file.id];
  await ada.knowledge.create({ id: chatbot.id, organizationId: other, type: 'file', files });
  const move = (to: string) =>
    ada.agentKeeping.transfer({
      id: chatbot.id,
      organizationId: other,
      toOrganizationId: to,
      name: 'Mover',
    });
  await expect(move(organizationId)).rejects.toMatchObject({
    status: 402,
    message: expect.stringContaining('accepts files of up to'),
  });
  expect((await ada.chatbot.list({ organizationId: other })).chatbots).toHaveLength(1);
  await owner.query(`update organization set plan_type = 'HOBBY' where id = $1`, [organizationId]);
  await move(organizationId);
});

test('an agent’s file is refused before it is sent if the plan has no room for the agent', async () => {
  for (let made = 0; made < plan.agents; made += 1) await makeAgent(`Helper ${made}`);
  const send = (purpose: string) =>
    tusOf(product, 'ada').create(organizationId, 5000, 'agent.zip', {
      'upload-metadata': metadata({ organizationId, filename: 'agent.zip', purpose }),
    });
  const refused = await send('agent');
  expect([refused.status, (await refused.json()).detail]).toEqual([
    402,
    expect.stringContaining('has room for 10 agents'),
  ]);
  expect((await send('other')).status).toBe(201);
});
