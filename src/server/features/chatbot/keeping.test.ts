import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXTRACTIVE_MODEL } from '../../llm/models.ts';
import { plans } from '../../../contract/plans.ts';
import { accept, join } from '../../../../test/join.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';

let product: Product;
let provider: Provider;
let ada: TestClient;
let acme: string;
let beta: string;
beforeAll(async () => {
  provider = await startProvider({ pieces: Array.from({ length: 200 }, () => 'word '), betweenPiecesMs: 50 });
  const access = { apiKey: 'sk', baseUrl: provider.baseUrl };
  product = await startProduct({
    providers: { openai: { ...access, model: 'slow' } },
    // Credits are counted here, and there is room for everything.
    billing: { mode: 'on', plans: { ...plans, FREE_PLAN: { ...plans.STARTUP, creditsAMonth: 200 } } },
  });
  ada = product.as('ada');
  acme = (await ada.organization.create({ name: 'Acme' })).organization.id;
  beta = (await ada.organization.create({ name: 'Beta' })).organization.id;
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await product.app.deps.db.owner.query<Row>(sql, values)).rows;

async function createAgent(name = 'Helper', organizationId = acme) {
  return (await ada.chatbot.create({ organizationId, name })).chatbot;
}

async function teach(id: string, organizationId = acme) {
  const media = new File(['The museum opens at ten.'], 'hours.txt', { type: 'text/plain' });
  const { file } = await ada.file.upload({ organizationId, media });
  await ada.knowledge.create({ id, organizationId, type: 'file', files: [file.id] });
  await ada.knowledge.create({
    id,
    organizationId,
    type: 'text',
    description: 'Hours',
    text: 'The shop opens at nine.',
  });
  const states = async () =>
    (await ada.knowledge.list({ id })).allKnowledge.map(({ progress }) => progress.state);
  await expect.poll(states, { timeout: 60_000 }).toEqual(['ready', 'ready']);
  return file.id;
}

test('a deleted agent stays in the trash until its day, and is restored as it was', async () => {
  const { id } = await createAgent('Lost');
  await teach(id);
  await ada.chatbot.remove({ id, organizationId: acme });
  const { chatbots } = await ada.agentKeeping.listDeleted({ organizationId: acme });
  const [found] = chatbots.filter((each) => each.id === id);
  expect(found).toMatchObject({ name: 'Lost' });
  expect(Date.parse(found?.purgedAt ?? '') - Date.parse(found?.deletedAt ?? '')).toBe(30 * 86_400_000);

  const { chatbot } = await ada.agentKeeping.restore({ id, organizationId: acme });
  expect(chatbot).toMatchObject({ id, name: 'Lost', status: 'live' });
  expect((await ada.knowledge.list({ id })).allKnowledge).toHaveLength(2);
  expect((await ada.agentKeeping.listDeleted({ organizationId: acme })).chatbots).toEqual([]);
  const { entries } = await ada.audit.list({ organizationId: acme, action: 'agentKeeping.restore' });
  expect(entries).toMatchObject([{ targetId: id }]);
});

test('an agent that is not, or no longer, in the trash cannot be restored', async () => {
  const { id } = await createAgent();
  await expect(ada.agentKeeping.restore({ id, organizationId: acme })).rejects.toMatchObject({ status: 404 });
  await ada.chatbot.remove({ id, organizationId: acme });
  await expect(ada.agentKeeping.restore({ id, organizationId: beta })).rejects.toMatchObject({ status: 404 });
  await query(`update agent set deleted_at = now() - interval '31 days' where id = $1`, [id]);
  await expect(ada.agentKeeping.restore({ id, organizationId: acme })).rejects.toMatchObject({ status: 404 });
  expect((await ada.agentKeeping.listDeleted({ organizationId: acme })).chatbots).toEqual([]);
});

/** The rows of an agent's tables, by organization. */
async function organizationsOf(id: string): Promise<Record<string, string[]>> {
  const of: Record<string, string> = {
    ...Object.fromEntries(
      ['agent_version', 'agent_access', 'agent_image', 'visitor', 'knowledge', 'knowledge_revision', 'source']

        .concat(['index_block', 'chunk', 'posting', 'conversation', 'plugin', 'test_set'])
        .concat(['product', 'purchase', 'entitlement'])
        .map((table) => [table, 'agent_id = $1']),
    ),
    agent: 'id = $1',
    ledger_entry: 'entitlement_id in (select id from entitlement where agent_id = $1)',
    file: 'id in (select file_id from source where agent_id = $1)',
    message: 'conversation_id in (select id from conversation where agent_id = $1)',
    attachment: 'conversation_id in (select id from conversation where agent_id = $1)',
    chat_link: 'conversation_id in (select id from conversation where agent_id = $1)',
    message_feedback:
      'message_id in (select m.id from message m join conversation c on c.id = m.conversation_id where c.agent_id = $1)',
    test_case: 'test_set_id in (select id from test_set where agent_id = $1)',
  };
  const found = Object.entries(of).map(async ([table, condition]) => {
    const rows = await query<{ id: string }>(
      `select distinct organization_id as id from ${table} where ${condition}`,
      [id],
    );
    return [table, rows.map((row) => row.id)];
  });
  return Object.fromEntries(await Promise.all(found)) as Record<string, string[]>;
}

test('an agent moves to another organization with everything that belongs to it', async () => {
  const { id } = await createAgent('Mover');
  await teach(id);
  const found = (await ada.knowledge.tryQuestion({ id, question: 'When does the shop open?' })).retrieval;
  const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  await ada.chatbot.uploadImage({ id, media: new File([bytes], 'a.png') });
  await ada.plugin.create({ chatbotId: id, type: 'twitter', settingsData: {} });
  await ada.testSet.create({
    id,
    organizationId: acme,
    name: 'Basics',
    cases: [{ question: 'When?', expectations: [] }],
  });
  await ada.team.create({ organizationId: acme, name: 'Support', agents: [id] });
  const { apiKey } = await ada.visitor.rotateApiKey({ id });
  const { token } = await product.as('vic', 'anonymous').visitor.authenticate({ chatbotId: id });
  const bob = product.as('bob', 'guest');
  const { product: offered } = await ada.product.create({ organizationId: acme, agentId: id });
  await ada.product.update({ id: offered.id, paymentConfig: { kind: 'free', credits: 9 }, state: 'active' });
  await bob.purchase.begin({ id: offered.id });
  const { conversation } = await bob.chat.create({ chatbotId: id });
  await ada.chatbot.update({
    id,
    organizationId: acme,
    modelSettings: { model: EXTRACTIVE_MODEL, fallbacks: ['anthropic/gone'] },
  });
  const { answer } = await bob.chat.send({ id: conversation.id, text: 'When does the shop open?' });
  await bob.answer.rate({ id: conversation.id, messageId: answer.id, rating: 'up' });
  await bob.attachment.add({ id: conversation.id, media: new File(['A text.'], 'a.txt') });
  await bob.chatLink.create({ id: conversation.id, audience: 'organization' });
  expect(new Set(Object.values(await organizationsOf(id)).flat())).toEqual(new Set([acme]));

  const move = { id, organizationId: acme, toOrganizationId: beta };
  await expect(ada.agentKeeping.transfer({ ...move, name: 'Other' })).rejects.toMatchObject({ status: 400 });
  const { chatbot, missingModels } = await ada.agentKeeping.transfer({ ...move, name: 'Mover' });
  expect(chatbot).toMatchObject({ id, organizationId: beta });
  expect(missingModels).toEqual(['anthropic/gone']);

  const organizations = await organizationsOf(id);
  for (const [table, ids] of Object.entries(organizations))
    expect([table, ids.filter((each) => each !== beta)]).toEqual([table, []]);
  expect(await query('select 1 from team_agent where agent_id = $1', [id])).toEqual([]);
  const after = (await ada.knowledge.tryQuestion({ id, question: 'When does the shop open?' })).retrieval;
  expect(after.passages).toEqual(found.passages);
  await expect(bob.chat.get({ id: conversation.id })).resolves.toMatchObject({
    conversation: { id: conversation.id },
  });
  await expect(bob.chat.send({ id: conversation.id, text: 'And the museum?' })).resolves.toMatchObject({
    answer: { state: 'complete' },
  });
  await expect(ada.chatbot.get({ id, organizationId: acme })).rejects.toMatchObject({ status: 404 });
  const asVisitor = await fetch(`${product.url}/v1/chat`, { headers: { authorization: `Bearer ${token}` } });
  expect(asVisitor.status).toBe(200);
  expect(apiKey).not.toBe('');
  for (const organizationId of [acme, beta]) {
    const { entries } = await ada.audit.list({ organizationId, action: 'agentKeeping.transfer' });
    expect(entries).toMatchObject([{ targetId: id, after: { organization: beta } }]);
  }
});

test('only a manager of both organizations can move an agent', async () => {
  const { id } = await createAgent('Stays');
  const move = { id, organizationId: acme, toOrganizationId: beta, name: 'Stays' };
  const admin = await join(product, ada, 'both', { organizationId: acme, role: 'admin' });
  await expect(admin.client.agentKeeping.transfer(move)).rejects.toMatchObject({ status: 404 });
  await accept(ada, admin, { organizationId: beta, role: 'editor' });
  await expect(admin.client.agentKeeping.transfer(move)).rejects.toMatchObject({ status: 403 });
  const foreign = (await product.as('eve').organization.create({ name: 'Eves' })).organization.id;
  await expect(ada.agentKeeping.transfer({ ...move, toOrganizationId: foreign })).rejects.toMatchObject({
    status: 404,
  });
  await expect(
    product.as('eve').agentKeeping.transfer({ ...move, toOrganizationId: foreign }),
  ).rejects.toMatchObject({ status: 404 });
  await expect(ada.agentKeeping.transfer({ ...move, toOrganizationId: acme })).rejects.toMatchObject({
    status: 400,
  });
  expect((await ada.chatbot.get({ id, organizationId: acme })).chatbot).toMatchObject({ id });
});

test('an agent that shares a file with another cannot be moved', async () => {
  const [one, other] = [await createAgent('One'), await createAgent('Other')];
  const shared = await teach(one.id);
  await ada.knowledge.create({ id: other.id, organizationId: acme, type: 'file', files: [shared] });
  await expect(
    ada.agentKeeping.transfer({ id: one.id, organizationId: acme, toOrganizationId: beta, name: 'One' }),
  ).rejects.toMatchObject({ status: 409 });
});

test('an answer in progress is stopped with its partial text, and its held credit is returned', async () => {
  const { id } = await createAgent('Busy');
  await ada.chatbot.update({
    id,
    organizationId: acme,
    modelSettings: { model: 'openai/slow' },
    customInstructions: 'Talk.',
  });
  const bob = product.as('busy bob', 'guest');
  const { conversation } = await bob.chat.create({ chatbotId: id });
  const sent = bob.chat.send({ id: conversation.id, text: 'Tell me a long story.' });
  const underWay = () =>
    query(`select 1 from message where conversation_id = $1 and text <> '' and runner is not null`, [
      conversation.id,
    ]);
  await expect.poll(async () => (await underWay()).length).toBe(1);
  await ada.agentKeeping.transfer({ id, organizationId: acme, toOrganizationId: beta, name: 'Busy' });
  await sent;
  const { messages } = await bob.chat.listMessages({ id: conversation.id });
  expect(messages.at(-1)).toMatchObject({ role: 'assistant', state: 'stopped' });
  expect(messages.at(-1)?.text).toMatch(/^word /);
  expect(await query('select 1 from credit_usage where reserved <> 0')).toEqual([]);
  await expect(bob.chat.create({ chatbotId: id })).resolves.toBeDefined();
});

test('a conversation begun while an agent is moved does not stay behind', async () => {
  const { id } = await createAgent('Racing');
  const { uid } = (await product.sessionOf('ada')).user;
  const client = await product.app.deps.db.owner.connect();
  const bob = product.as('racing bob', 'guest');
  await client.query('begin');
  await client.query(
    `select set_config('parley.organization', $1, true), set_config('parley.user', $2, true)`,
    [acme, uid],
  );
  await client.query('select move_agent($1, $2, $3)', [id, acme, beta]);
  const begun = bob.chat.create({ chatbotId: id }).then(
    () => 'made',
    () => 'refused',
  );
  const waiting = async () =>
    (
      await query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ilike '%conversation%'`,
      )
    ).length;
  await expect.poll(waiting).toBeGreaterThan(0);
  await client.query('commit');
  client.release();
  expect(await begun).toBe('refused');
  expect(await query('select 1 from conversation where agent_id = $1', [id])).toEqual([]);
  await expect(bob.chat.create({ chatbotId: id })).resolves.toBeDefined();
});

test('the database itself refuses to move an agent for anyone who does not manage both organizations', async () => {
  const { id } = await createAgent('Fixed');
  const eve = (await product.sessionOf('eve')).user.uid;
  const { db } = product.app.deps;
  for (const scope of [
    { organizationId: acme },
    { organizationId: acme, userId: eve },
    { organizationId: beta, userId: eve },
  ])
    await expect(
      db.in(scope, (tx) => tx.$client.query('select move_agent($1, $2, $3)', [id, acme, beta])),
    ).rejects.toThrow(/manages both/);
});

test('every table that references an agent is handled when agents are moved', async () => {
  const [{ source } = { source: '' }] = await query<{ source: string }>(
    // Triggers make a storefront follow its agent, as well as questions and estimates; another ends links to its
    // numbers.
    `select string_agg(prosrc, ' ') as source from pg_proc
      where proname in ('move_agent', 'storefront_follows_agent', 'questions_follow_agent', 'estimates_follow_agent',
                        'insight_links_end_with_move')`,
  );
  const tables = await query<{ name: string }>(
    `with recursive hanging as (
       (select 'agent'::regclass::oid as id union all
        select c.oid from pg_class c join pg_attribute a on a.attrelid = c.oid
         where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attname = 'agent_id')
       union select k.conrelid from pg_constraint k join hanging on k.confrelid = hanging.id where k.contype = 'f')
     select distinct c.relname as name from hanging join pg_class c on c.oid = hanging.id
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const missing = tables
    .map(({ name }) => name)
    .filter((name) => !new RegExp(`(UPDATE|DELETE FROM) ${name}\\b`).test(source));
  expect(missing).toEqual([]);
});
