import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createClient } from '../../../contract/client.ts';
import { contract } from '../../../contract/index.ts';
import { CANNED_ANSWERS_MAX } from '../../../contract/limits.ts';
import { join } from '../../../../test/join.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { newId } from '../../id.ts';

let product: Product;
let provider: Provider;
let ada: TestClient;
let organizationId: string;
let agentId: string;

beforeAll(async () => {
  provider = await startProvider({ pieces: ['From the agent.'] });
  product = await startProduct({
    providers: { openai: provider.openai },
  });
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  await ada.chatbot.update({ id: agentId, organizationId, isPublic: true });
});
beforeEach(() => {
  provider.script = { pieces: ['From the agent.'] };
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

/** The plain typed client: a message that a person is to answer has no answer. */
async function plain(name: string) {
  const { idToken } = await product.sessionOf(name);
  return createClient(contract, { baseUrl: product.url, token: () => idToken });
}

const member = (name: string, role: 'editor' | 'viewer') =>
  join(product, ada, name, { organizationId, role, teams: [] });

async function begin(name = 'bob') {
  const bob = await plain(name);
  const { conversation } = await bob.chat.create({ chatbotId: agentId });
  return { bob, id: conversation.id };
}

const said = async (client: { chat: Pick<TestClient['chat'], 'listMessages'> }, id: string) =>
  (await client.chat.listMessages({ id, count: 100 })).messages.map(({ role, text, author }) => [
    role,
    author?.name ?? null,
    text,
  ]);

test('an end user asks for a person, a member takes over, both write, and the agent resumes', async () => {
  const { bob, id } = await begin();
  expect((await bob.chat.send({ id, text: 'Hello?' })).answer?.text).toBe('From the agent.');
  expect(await bob.handover.ask({ id, reason: 'My bill' })).toEqual({ handling: 'waiting', notice: null });
  expect((await bob.chat.send({ id, text: 'Is somebody there?' })).answer).toBeNull();

  const { conversations, waiting } = await ada.inbox.list({ organizationId });
  expect(waiting).toBe(1);
  expect(conversations[0]).toMatchObject({
    id,
    handling: 'waiting',
    handover: { by: 'end-user', reason: 'My bill', takenAt: null },
    last: { role: 'user', text: 'Is somebody there?' },
    endUser: { name: 'bob' },
  });
  expect((await ada.inbox.take({ id })).conversation).toMatchObject({
    handling: 'human',
    assignee: { name: 'ada' },
  });
  await ada.inbox.note({ id, text: 'He is angry.' });
  await ada.inbox.write({ id, text: 'Ada here. What is wrong?' });
  await bob.chat.send({ id, text: 'It is too high.' });
  expect((await bob.chat.get({ id })).conversation.handling).toBe('human');

  await ada.inbox.release({ id });
  expect((await bob.chat.send({ id, text: 'Thanks.' })).answer?.text).toBe('From the agent.');
  expect(await said(bob, id)).toEqual([
    ['user', null, 'Hello?'],
    ['assistant', null, 'From the agent.'],
    ['user', null, 'Is somebody there?'],
    ['operator', 'ada', 'Ada here. What is wrong?'],
    ['user', null, 'It is too high.'],
    ['user', null, 'Thanks.'],
    ['assistant', null, 'From the agent.'],
  ]);
  // The model knows whose words those were, and nothing about the notes.
  const asked = provider.requests.at(-1)?.messages.map(({ content }) => content);
  expect(asked).toContain('(A person of the team answered:) Ada here. What is wrong?');
  expect(JSON.stringify(asked)).not.toContain('angry');
  const { notes, messages } = await ada.inbox.get({ id });
  expect(notes.map(({ text, author }) => [author?.name, text])).toEqual([['ada', 'He is angry.']]);
  expect(messages[0]?.text).toBe('From the agent.');
});

test('a member’s message is unread in the end user’s list until they have read it, even if the agent has resumed', async () => {
  const { bob, id } = await begin('reader');
  await bob.chat.send({ id, text: 'Hello?' });
  const isUnread = async () => (await bob.chat.list({})).conversations[0]?.unread;
  expect(await isUnread()).toBe(false);
  await ada.inbox.write({ id, text: 'Ada here.' });
  await ada.inbox.release({ id });
  expect(await isUnread()).toBe(true);
  await bob.chat.listMessages({ id, orderBy: 'desc', seen: 'false' });
  expect(await isUnread()).toBe(true);
  await bob.chat.listMessages({ id, orderBy: 'desc' });
  expect(await isUnread()).toBe(false);
  await bob.chat.send({ id, text: 'Thanks.' });
  expect(await isUnread()).toBe(false);
});

test('members who may answer, and nobody else, are notified by mail and over their sockets', async () => {
  await product.app.deps.db.owner.query(
    `update "user" set email = 'ada@example.com', email_verified = true where id = $1`,
    [(await product.sessionOf('ada')).user.uid],
  );
  const { bob, id } = await begin();
  await bob.chat.send({ id, text: 'I am lost.' });
  await bob.handover.ask({ id });
  await bob.handover.ask({ id });
  const { rows } = await product.app.deps.db.owner.query<{ recipient: string; text: string }>(
    `select recipient, text from mail where text like $1`,
    [`%${id}%`],
  );
  expect(rows.map(({ recipient }) => recipient)).toEqual(['ada@example.com']);
  expect(rows[0]?.text).toContain('bob: I am lost.');

  // A person's earlier answers are presented as theirs, not as the agent's.
  await ada.inbox.write({ id, text: 'I will look.' });
  await ada.inbox.release({ id });
  await bob.handover.ask({ id });
  const again = await product.app.deps.db.owner.query<{ text: string }>(
    `select text from mail where text like $1 order by created_at desc limit 1`,
    [`%${id}%`],
  );
  expect(again.rows[0]?.text).toContain('ada: I will look.');

  await ada.inbox.setSetting({ organizationId, officeHours: null, awayMessage: '', notify: 'nobody' });
  const other = await begin();
  await other.bob.handover.ask({ id: other.id });
  const none = await product.app.deps.db.owner.query(`select 1 from mail where text like $1`, [
    `%${other.id}%`,
  ]);
  expect(none.rowCount).toBe(0);
});

test('of many who take over at once one succeeds; another writes only once it is assigned to them', async () => {
  const { client: grace, userId: graceId } = await member('grace', 'editor');
  const { bob, id } = await begin();
  await bob.handover.ask({ id });
  const taken = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) => (index % 2 ? ada : grace).inbox.take({ id })),
  );
  const holders = new Set(
    taken.flatMap((each) => (each.status === 'fulfilled' ? [each.value.conversation.assignee?.name] : [])),
  );
  expect(holders.size).toBe(1);
  const [holder, other] = holders.has('ada') ? [ada, grace] : [grace, ada];
  await expect(other.inbox.write({ id, text: 'Me too' })).rejects.toMatchObject({ code: 'inbox/taken' });
  const userId = other === ada ? (await product.sessionOf('ada')).user.uid : graceId;
  await holder.inbox.assign({ id, userId });
  await other.inbox.write({ id, text: 'Now I do.' });
  expect((await other.inbox.list({ organizationId, view: 'mine' })).conversations[0]?.id).toBe(id);
  expect(
    (await holder.inbox.list({ organizationId, view: 'mine' })).conversations.map((each) => each.id),
  ).not.toContain(id);
});

test.each(['removed', 'made a viewer', 'gone by themselves'])(
  'an end user whose member is %s waits for another',
  async (how) => {
    const { client, memberId } = await member(`leaver-${how.replaceAll(' ', '-')}`, 'editor');
    const { bob, id } = await begin();
    await bob.handover.ask({ id });
    await client.inbox.take({ id });
    if (how === 'removed') await ada.member.remove({ id: memberId });
    else if (how === 'made a viewer') await ada.member.update({ id: memberId, role: 'viewer' });
    else await client.organization.leave({ id: organizationId });
    expect((await bob.chat.get({ id })).conversation.handling).toBe('waiting');
    const { conversations } = await ada.inbox.list({ organizationId, view: 'waiting', count: 100 });
    expect(conversations.find((each) => each.id === id)).toMatchObject({ assignee: null });
    await ada.inbox.write({ id, text: 'I go on with it.' });
    expect((await said(bob, id)).at(-1)).toEqual(['operator', 'ada', 'I go on with it.']);
  },
);

test('an end user waits for another member when a team takes the agent away from theirs', async () => {
  const joined = await member('teamless', 'editor');
  const { userId } = joined;
  const { id: teamAgentId } = (await ada.chatbot.create({ organizationId, name: 'Of a team' })).chatbot;
  const agents = [teamAgentId];
  const { team } = await ada.team.create({ organizationId, name: 'Support', agents });
  const taken = async () => {
    await ada.team.update({ id: team.id, agents, members: [userId] });
    const bob = await plain('bob');
    const { id } = (await bob.chat.create({ chatbotId: teamAgentId })).conversation;
    await bob.handover.ask({ id });
    await joined.client.inbox.take({ id });
    return async () => (await bob.chat.get({ id })).conversation.handling;
  };

  const leftTeam = await taken();
  await ada.member.update({ id: joined.memberId, teams: [] });
  expect(await leftTeam()).toBe('waiting');
  const otherMembers = await taken();
  await ada.team.update({ id: team.id, members: [] });
  expect(await otherMembers()).toBe('waiting');
  // Members who still see it keep it.
  const sameTeam = await taken();
  await ada.team.update({ id: team.id, name: 'Help' });
  expect(await sameTeam()).toBe('human');
  await ada.team.create({ organizationId, name: 'Others', agents });
  expect(await sameTeam()).toBe('human');
  await ada.member.update({ id: joined.memberId, role: 'admin', teams: [] });
  await ada.member.update({ id: joined.memberId, role: 'editor', teams: [team.id] });
  expect(await sameTeam()).toBe('human');
  await ada.team.update({ id: team.id, agents: [] });
  expect(await sameTeam()).toBe('waiting');
});

test('taking over stops an answer in progress and keeps its partial text', async () => {
  const { bob, id } = await begin();
  provider.script = { pieces: Array.from({ length: 200 }, () => 'word '), betweenPiecesMs: 30 };
  const sending = bob.chat.send({ id, text: 'Tell me all.' });
  await expect.poll(async () => (await said(bob, id)).at(-1)?.[2]?.length ?? 0).toBeGreaterThan(10);
  await ada.inbox.write({ id, text: 'I take it from here.' });
  expect((await sending).answer?.state).toBe('stopped');
  expect((await said(bob, id)).at(-1)).toEqual(['operator', 'ada', 'I take it from here.']);
  expect((await bob.chat.send({ id, text: 'Good.' })).answer).toBeNull();
});

test('with a person nothing is regenerated or edited; an end user who only waits can return to the agent', async () => {
  const { bob, id } = await begin();
  const { message, answer } = await bob.chat.send({ id, text: 'One' });
  await bob.handover.ask({ id });
  const withPerson = { status: 409, code: 'chat/with-person' };
  await expect(bob.chat.edit({ id, messageId: message.id, text: 'Two' })).rejects.toMatchObject(withPerson);
  await expect(bob.chat.regenerate({ id, messageId: answer?.id ?? '' })).rejects.toMatchObject(withPerson);
  expect(await bob.handover.cancel({ id })).toEqual({ handling: 'bot' });
  expect((await bob.chat.send({ id, text: 'Three' })).answer?.text).toBe('From the agent.');
  await ada.inbox.take({ id });
  await expect(bob.handover.cancel({ id })).rejects.toMatchObject(withPerson);
  await ada.inbox.close({ id });
  expect((await bob.chat.get({ id })).conversation.handling).toBe('closed');
  expect((await bob.chat.send({ id, text: 'Four' })).answer?.text).toBe('From the agent.');
  expect((await bob.chat.get({ id })).conversation.handling).toBe('bot');
});

test('the same message sent twice to a person exists once', async () => {
  const { bob, id } = await begin();
  await bob.handover.ask({ id });
  const headers = { 'idempotency-key': 'once' };
  const sent = await Promise.allSettled(
    [1, 2, 3].map(() => bob.chat.send({ id, text: 'Only once' }, { headers })),
  );
  const again = await bob.chat.send({ id, text: 'Only once' }, { headers });
  for (const each of sent)
    if (each.status === 'fulfilled') expect(each.value.message.id).toBe(again.message.id);
    else expect(each.reason).toMatchObject({ code: 'idempotency/in-progress' });
  await expect(bob.chat.send({ id, text: 'Else' }, { headers })).rejects.toMatchObject({ status: 422 });
  expect((await said(bob, id)).filter(([, , text]) => text === 'Only once')).toHaveLength(1);
});

test('strangers, viewers and other organizations can neither read nor write', async () => {
  const { bob, id } = await begin();
  await bob.handover.ask({ id });
  const viewer = (await member('vera', 'viewer')).client;
  expect((await viewer.inbox.get({ id })).conversation.id).toBe(id);
  for (const act of [() => viewer.inbox.take({ id }), () => viewer.inbox.write({ id, text: 'Hi' })])
    await expect(act()).rejects.toMatchObject({ status: 403 });
  const eve = product.as('eve');
  await eve.organization.create({ name: 'Evil' });
  for (const act of [
    () => eve.inbox.get({ id }),
    () => eve.inbox.take({ id }),
    () => eve.inbox.write({ id, text: 'Hi' }),
    () => eve.handover.ask({ id }),
    () => eve.handover.cancel({ id }),
    () => ada.handover.ask({ id }),
  ])
    await expect(act()).rejects.toMatchObject({ status: 404 });
  await expect(eve.inbox.list({ organizationId })).rejects.toMatchObject({ status: 404 });
});

test('a team’s agent is answered by its members and by those who see all agents', async () => {
  const { chatbot } = await ada.chatbot.create({ organizationId, name: 'Sales' });
  await ada.chatbot.update({ id: chatbot.id, organizationId, isPublic: true });
  await ada.team.create({ organizationId, name: 'Sales', agents: [chatbot.id] });
  const edith = (await member('edith', 'editor')).client;
  const bob = await plain('bob');
  const { conversation } = await bob.chat.create({ chatbotId: chatbot.id });
  await bob.handover.ask({ id: conversation.id });
  const seen = async (client: TestClient) =>
    (await client.inbox.list({ organizationId, count: 100 })).conversations.map(({ id }) => id);
  expect(await seen(ada)).toContain(conversation.id);
  expect(await seen(edith)).not.toContain(conversation.id);
  await expect(edith.inbox.take({ id: conversation.id })).rejects.toMatchObject({ status: 404 });
  // It is offered only to those it can be assigned to.
  const { helpers } = await ada.inbox.get({ id: conversation.id });
  expect(helpers.map(({ name }) => name)).toEqual(['ada']);
});

test('rooms, temporary conversations and agents that offer no person cannot be handed over', async () => {
  const bob = await plain('bob');
  for (const kind of [{ kind: 'game' as const }, { temporary: true }]) {
    const { conversation } = await bob.chat.create({ chatbotId: agentId, ...kind });
    await expect(bob.handover.ask({ id: conversation.id })).rejects.toMatchObject({ code: 'chat/no-person' });
  }
  const { bob: cleo, id } = await begin('cleo');
  const offer = (offersPerson: boolean) => ada.chatbot.update({ id: agentId, organizationId, offersPerson });
  await offer(false);
  await expect(cleo.handover.ask({ id })).rejects.toMatchObject({ code: 'chat/no-person' });
  await offer(true);
});

test('the list continues where it ended, and canned answers are stored', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    const { bob, id } = await begin('dora');
    await bob.handover.ask({ id });
    ids.push(id);
  }
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await ada.inbox.list({ organizationId, view: 'waiting', count: 2, cursor });
    seen.push(...page.conversations.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(new Set(seen).size).toBe(seen.length);
  // The longest waiting comes first, whoever has written since.
  expect(seen.filter((id) => ids.includes(id))).toEqual(ids);

  const { answer } = await ada.inbox.createCanned({
    organizationId,
    title: 'Hello',
    text: 'Hello, I am Ada.',
  });
  expect((await ada.inbox.listCanned({ organizationId })).answers).toEqual([answer]);
  await ada.inbox.removeCanned({ organizationId, id: answer.id });
  await expect(ada.inbox.removeCanned({ organizationId, id: answer.id })).rejects.toMatchObject({
    status: 404,
  });
});

test('of many canned answers created at once as many are stored as there is room for', async () => {
  const { id } = (await ada.organization.create({ name: 'Full' })).organization;
  const ids = Array.from({ length: CANNED_ANSWERS_MAX - 1 }, () => newId('cannedAnswer'));
  await product.app.deps.db.owner.query(
    `insert into canned_answer (id, organization_id, title, text) select unnest($2::text[]), $1, 'Title', 'Text'`,
    [id, ids],
  );
  const keep = (title: string) => ada.inbox.createCanned({ organizationId: id, title, text: 'Text' });
  // Warms up a connection for each.
  await Promise.all(Array.from({ length: 16 }, () => ada.inbox.listCanned({ organizationId: id })));
  const tried = await Promise.allSettled(Array.from({ length: 16 }, (_, index) => keep(`Last ${index}`)));
  expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('inbox settings and canned answers are in the audit log', async () => {
  const written = async () => {
    const { entries } = await ada.audit.list({ organizationId, count: 100 });
    return entries
      .filter(({ action }) => action.startsWith('inbox.'))
      .map(({ action, before, after }) => ({ action, before, after }));
  };
  const setting = { officeHours: null, notify: 'all' as const };
  await ada.inbox.setSetting({ organizationId, ...setting, awayMessage: 'Before.' });
  const known = (await written()).length;
  await ada.inbox.setSetting({ organizationId, ...setting, awayMessage: 'After.' });
  // This one changes nothing.
  await ada.inbox.setSetting({ organizationId, ...setting, awayMessage: 'After.' });
  const canned = { title: 'Hours', text: 'We are here from nine.' };
  const { answer } = await ada.inbox.createCanned({ organizationId, ...canned });
  await ada.inbox.removeCanned({ organizationId, id: answer.id });
  const entries = await written();
  expect(entries.slice(0, entries.length - known)).toEqual([
    { action: 'inbox.removeCanned', before: canned, after: {} },
    { action: 'inbox.createCanned', before: {}, after: canned },
    {
      action: 'inbox.setSetting',
      before: { awayMessage: 'Before.' },
      after: { awayMessage: 'After.' },
    },
  ]);
});
