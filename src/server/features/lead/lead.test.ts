import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LeadField } from '../../../contract/lead.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider, type ProviderRequest } from '../../../../test/stand-ins/provider.ts';
import { bearing, visit } from '../../../../test/visit.ts';

let product: Product;
let provider: Provider;
let ada: TestClient;
let organizationId: string;
let agentId: string;
let toolId: string;

const field = (key: string, kind: LeadField['kind'], required = false): LeadField => ({
  key,
  label: `Your ${key}`,
  kind,
  required,
  choices: kind === 'choice' ? ['Morning', 'Evening'] : [],
});
const form = [
  field('name', 'text', true),
  field('email', 'email', true),
  field('phone', 'phone'),
  field('people', 'number'),
  field('time', 'choice'),
  field('consent', 'consent', true),
];
const good = { name: 'Grace', email: 'grace@example.com', consent: true };

beforeAll(async () => {
  provider = await startProvider({ pieces: ['Done.'] });
  product = await startProduct({
    providers: { openai: provider.openai },
  });
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  toolId = (await ada.tool.create({ organizationId, agentId, kind: 'builtin' })).tool.id;
  await ada.tool.update({ id: toolId, form, operations: [{ id: 'collectLead', enabled: true }] });
});
beforeEach(() => {
  provider.requests.length = 0;
  provider.script = {
    pieces: [],
    of: ({ messages }: ProviderRequest) => {
      const last = messages.findLastIndex(({ role }) => role === 'user');
      const isDone = messages.slice(last).some(({ role }) => role === 'assistant');
      return isDone
        ? { pieces: ['Thank you.'] }
        : { pieces: [], calls: [{ name: 'collectLead', arguments: {} }] };
    },
  };
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

async function ask(client: TestClient, id?: string) {
  const conversation = id ?? (await client.chat.create({ chatbotId: agentId })).conversation.id;
  const { answer: made } = await client.chat.send({ id: conversation, text: 'Please call me.' });
  return { made, call: { id: conversation, messageId: made.id, callId: made.toolCalls[0]?.id ?? '' } };
}

const leads = async () => (await ada.lead.list({ id: agentId })).leads;

test('a form is shown, its values are stored once, and the answer continues with them', async () => {
  const { token } = await visit(product, agentId);
  const visitor = bearing(product, token);
  const { made, call } = await ask(visitor);
  expect(made).toMatchObject({ state: 'waiting', toolCalls: [{ waitsFor: 'form', form, values: [] }] });
  await expect(visitor.chat.decideToolCall({ ...call, decision: 'allow' })).rejects.toMatchObject({
    code: 'tool/form-needed',
  });
  const submit = () => visitor.chat.submitForm({ ...call, values: { ...good, time: 'Evening' } });
  const outcomes = await Promise.allSettled([submit(), submit(), submit()]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(provider.requests.at(-1)?.messages.at(-1)?.content).toContain('grace@example.com');
  const [lead, ...others] = await leads();
  expect(others).toEqual([]);
  expect(lead).toMatchObject({
    agentId,
    conversationId: call.id,
    values: [
      { key: 'name', label: 'Your name', value: 'Grace' },
      { key: 'email', label: 'Your email', value: 'grace@example.com' },
      { key: 'time', label: 'Your time', value: 'Evening' },
      { key: 'consent', label: 'Your consent', value: 'yes' },
    ],
  });
  // The same form isn't requested again in this conversation.
  expect((await ask(visitor, call.id)).made).toMatchObject({
    state: 'complete',
    toolCalls: [{ state: 'repeated' }],
  });
  expect(await leads()).toHaveLength(1);
});

test('an invalid value is refused at its field, and nothing is stored', async () => {
  const bob = product.as('bob');
  const before = (await leads()).length;
  const { call } = await ask(bob);
  const wrong: [string, Record<string, string | boolean>][] = [
    ['name', { ...good, name: '  ' }],
    ['email', { ...good, email: 'no address' }],
    ['email', { name: 'Grace', consent: true }],
    ['phone', { ...good, phone: 'call me' }],
    ['people', { ...good, people: 'many' }],
    ['time', { ...good, time: 'Noon' }],
    ['consent', { ...good, consent: false }],
    ['consent', { ...good, consent: 'yes' }],
    ['else', { ...good, else: 'x' }],
  ];
  for (const [key, values] of wrong)
    await expect(bob.chat.submitForm({ ...call, values })).rejects.toMatchObject({
      status: 400,
      errors: [{ path: `values.${key}` }],
    });
  await expect(bob.chat.submitForm({ ...call, values: { ...good, phone: 'call me' } })).rejects.toMatchObject(
    { message: expect.stringMatching(/^.+: Must be a phone number\.$/) },
  );
  await expect(product.as('eve').chat.submitForm({ ...call, values: good })).rejects.toMatchObject({
    status: 404,
  });
  expect((await leads()).length).toBe(before);
  const { answer: denied } = await bob.chat.decideToolCall({ ...call, decision: 'deny' });
  expect(denied).toMatchObject({ state: 'complete', toolCalls: [{ state: 'denied' }] });
  await expect(bob.chat.submitForm({ ...call, values: good })).rejects.toMatchObject({
    code: 'tool/not-waiting',
  });
});

test('members read leads page by page, export them without formulas, and delete them', async () => {
  for (const name of ['=HYPERLINK("http://x")', 'Zoë, the "first"']) {
    const { call } = await ask(product.as('carl'));
    await product.as('carl').chat.submitForm({ ...call, values: { ...good, name } });
  }
  const all = await leads();
  const first = await ada.lead.list({ id: agentId, count: 1 });
  const second = await ada.lead.list({ id: agentId, count: 1, cursor: first.nextCursor ?? '' });
  expect([...first.leads, ...second.leads]).toEqual(all.slice(0, 2));
  const { csv } = await ada.lead.export({ id: agentId });
  expect(csv).toContain(`"'=HYPERLINK(""http://x"")"`);
  expect(csv).toContain('"Zoë, the ""first"""');
  expect(csv.split('\r\n')[0]).toBe('"id","createdAt","conversationId","name","email","consent","time"');
  await ada.lead.remove({ id: agentId, leadId: all[0]?.id ?? '' });
  expect(await leads()).toEqual(all.slice(1));
  await expect(product.as('eve').lead.list({ id: agentId })).rejects.toMatchObject({ status: 404 });
});

test('a lead is deleted with its conversation', async () => {
  const dora = product.as('dora');
  const { call } = await ask(dora);
  await dora.chat.submitForm({ ...call, values: good });
  const isThere = async () => (await leads()).some(({ conversationId }) => conversationId === call.id);
  expect(await isThere()).toBe(true);
  await dora.history.remove({ id: call.id });
  expect(await isThere()).toBe(false);
});

test('a form filled in during a trial of an agent is stored nowhere', async () => {
  const before = await leads();
  const conversation = (await ada.chat.create({ chatbotId: agentId, version: 'draft' })).conversation.id;
  const { call } = await ask(ada, conversation);
  await expect(ada.chat.submitForm({ ...call, values: { name: 'Ada' } })).rejects.toMatchObject({
    status: 400,
  });
  const { answer } = await ada.chat.submitForm({ ...call, values: good });
  expect(answer).toMatchObject({ state: 'complete', toolCalls: [{ state: 'rehearsed', isRecorded: false }] });
  expect(await leads()).toEqual(before);
  const real = { chatbotId: agentId, version: 'draft' as const, dryRun: false };
  const { call: kept } = await ask(ada, (await ada.chat.create(real)).conversation.id);
  await ada.chat.submitForm({ ...kept, values: good });
  expect(await leads()).toHaveLength(before.length + 1);
});

test('without fields no form is offered, and an invalid form is refused', async () => {
  for (const fields of [
    [field('a', 'text'), field('A', 'text')],
    [{ ...field('a', 'choice'), choices: [] }],
    [{ ...field('a', 'text'), key: '=a' }],
  ])
    await expect(ada.tool.update({ id: toolId, form: fields })).rejects.toMatchObject({ status: 400 });
  await ada.tool.update({ id: toolId, form: [] });
  const { made } = await ask(product.as('fay'));
  expect(made.toolCalls).toEqual([]);
  expect(provider.requests[0]?.tools ?? []).toEqual([]);
});
