import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../test/product.ts';
import { forFree, sell } from '../../../test/selling.ts';
import { untilReady } from '../../../test/taught-agent.ts';
import { readQuestions } from './improvement/read-questions.ts';

/** Lists that members browse can be searched: every word must occur literally, in any case. */

let product: Product;
let ada: TestClient;
let organizationId: string;
let id: string;

beforeAll(async () => {
  product = await startProduct();
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  id = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  const text = 'The shop is open from nine to five.';
  await ada.knowledge.create({ id, organizationId, type: 'text', description: 'Opening hours', text });
  await untilReady(ada, id);
});
afterAll(() => product.close());

/** A conversation of a person with that name. */
async function talk(name: string, ...texts: string[]): Promise<string> {
  const client = product.as(name);
  const { conversation } = await client.chat.create({ chatbotId: id });
  for (const text of texts) await client.chat.send({ id: conversation.id, text });
  return conversation.id;
}

test('conversations of an agent and of the inbox are found by title, messages and people', async () => {
  const bob = await talk('bob', 'Hello', 'Is there a 50% discount on violins?');
  const cleo = await talk('cleo', 'What about snake_case?');
  for (const each of [bob, cleo]) await product.as(each === bob ? 'bob' : 'cleo').handover.ask({ id: each });
  const ofAgent = async (search: string) =>
    (await ada.endUser.listConversations({ id, search })).conversations.map((found) => found.id);
  const inInbox = async (search: string) =>
    (await ada.inbox.list({ organizationId, search })).conversations.map((found) => found.id);
  for (const found of [ofAgent, inInbox]) {
    expect(await found('DISCOUNT violins')).toEqual([bob]);
    expect(await found('50%')).toEqual([bob]);
    expect(await found('snake_')).toEqual([cleo]);
    expect(await found('Cleo')).toEqual([cleo]);
    expect(await found('violins snake_')).toEqual([]);
    expect(await found('v_olins')).toEqual([]);
    expect((await found('  ')).toSorted()).toEqual([bob, cleo].toSorted());
  }
});

test('deleted content and temporary conversations are not found', async () => {
  const gone = await talk('dan', 'My xylophone is broken.');
  await product.as('dan').history.remove({ id: gone });
  const client = product.as('dan');
  const { conversation } = await client.chat.create({ chatbotId: id, temporary: true });
  await client.chat.send({ id: conversation.id, text: 'My xylophone is broken.' });
  expect((await ada.endUser.listConversations({ id, search: 'xylophone' })).conversations).toEqual([]);
});

test('questions are found by their title and by other wordings', async () => {
  await talk('fay', 'Do you ship parcels to Norway?');
  await talk('kim', 'Do you repair harps?');
  await talk('gus', 'Can you ship a parcel to Norway please?');
  const found = async (search: string) =>
    (await ada.improvement.listClusters({ id, search })).clusters.map(({ title }) => title);
  await expect
    .poll(
      async () => {
        await readQuestions(product.app.deps);
        return found('please norway');
      },
      { timeout: 30_000 },
    )
    .toEqual([expect.stringContaining('Norway')]);
  expect(await found('HARPS')).toEqual(['Do you repair harps?']);
  expect(await found('trombone')).toEqual([]);
});

test('leads are found by what was filled in, not by the field labels', async () => {
  const conversationId = await talk('hal', 'Hello');
  const insert = (name: string) =>
    product.app.deps.db.owner.query(
      `insert into lead (id, organization_id, agent_id, conversation_id, "values") values ('led_' || $1, $2, $3, $4, $5)`,
      [
        name.toLowerCase().padStart(26, '0'),
        organizationId,
        id,
        conversationId,
        JSON.stringify([{ key: 'name', label: 'Your name', value: name }]),
      ],
    );
  for (const name of ['Hanna', 'Otto']) await insert(name);
  const found = async (search: string) =>
    (await ada.lead.list({ id, search })).leads.map(({ values }) => values[0]?.value);
  expect(await found('hann')).toEqual(['Hanna']);
  expect(await found('Your')).toEqual([]);
});

test('audit log entries are found by who made a change and by what was changed', async () => {
  await ada.team.create({ organizationId, name: 'Night shift' });
  const found = async (search: string) =>
    (await ada.audit.list({ organizationId, search })).entries.map(({ action }) => action);
  expect(await found('night ada')).toEqual(['team.create']);
  expect(await found('day shift')).toEqual([]);
  const { csv } = await ada.audit.export({ organizationId, search: 'night' });
  expect(csv.trim().split('\r\n')).toHaveLength(2);
});

test('purchases are found by buyer and product', async () => {
  const key = { organizationId, agentId: id };
  for (const [buyer, name] of [
    ['ivy', 'Gold'],
    ['jon', 'Silver'],
  ] as const) {
    const offered = await sell(ada, key, forFree(10), name);
    await product.as(buyer).purchase.begin({ id: offered.id });
  }
  const found = async (search: string) => {
    const { purchases } = await ada.earning.get({ agentId: id, search });
    return purchases.map(({ buyer }) => buyer);
  };
  expect(await found('gold')).toEqual(['ivy']);
  expect(await found('JON silver')).toEqual(['jon']);
  expect(await found('jon gold')).toEqual([]);
});
