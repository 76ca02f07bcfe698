import { io } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { join, type Joined } from '../../../../test/join.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';

let product: Product;
let provider: Provider;
let owner: TestClient;
let organizationId: string;
beforeAll(async () => {
  provider = await startProvider({
    pieces: Array.from({ length: 200 }, () => 'word '),
    betweenPiecesMs: 100,
  });
  product = await startProduct({
    providers: { openai: provider.openai },
  });
  owner = product.as('owner');
});
afterAll(async () => {
  await product.close();
  await provider.close();
});
beforeEach(async () => {
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
});

/** Reading a text takes a moment, longer on a busy machine. */
const patiently = { timeout: 30_000 };

let people = 0;
function joinAs(role: 'admin' | 'editor' | 'viewer'): Promise<Joined> {
  people += 1;
  return join(product, owner, `${role}-of-team-${people}`, { organizationId, role });
}

async function createAgent(name: string): Promise<string> {
  const { chatbot } = await owner.chatbot.create({ organizationId, name });
  await owner.chatbot.update({ id: chatbot.id, organizationId, isPublic: false });
  return chatbot.id;
}

/** A team with an agent in it, and an agent in no team. */
async function createTeam() {
  const [inTeam, open] = [await createAgent('In team'), await createAgent('Open')];
  const { team } = await owner.team.create({ organizationId, name: 'Support', agents: [inTeam] });
  return { teamId: team.id, inTeam, open };
}

const names = async (client: TestClient) =>
  (await client.chatbot.list({ organizationId })).chatbots.map(({ name }) => name).toSorted();

test('a team is created, changed and deleted', async () => {
  const agent = await createAgent('Helper');
  const person = await joinAs('viewer');
  const { team } = await owner.team.create({ organizationId, name: '  Support ' });
  expect(team).toEqual({ id: team.id, organizationId, name: 'Support', agents: [], members: [] });
  const changes = { name: 'Service', agents: [agent], members: [person.userId] };
  const changed = await owner.team.update({ id: team.id, ...changes });
  expect(changed.team).toMatchObject(changes);
  expect((await owner.member.get({ id: person.memberId })).member.teams).toEqual([team.id]);
  expect((await owner.team.list({ orgId: organizationId })).teams).toEqual([changed.team]);
  expect((await owner.team.update({ id: team.id, agents: [] })).team).toMatchObject({
    ...changes,
    agents: [],
  });
  await owner.team.remove({ id: team.id });
  await expect(owner.team.get({ id: team.id })).rejects.toMatchObject({ status: 404 });
  expect((await owner.member.get({ id: person.memberId })).member.teams).toEqual([]);
});

test('teams are sorted by name as people read them, whether listed whole or in pages', async () => {
  for (const name of ['Team 118', 'team 16', 'Team 9', 'Équipe', 'Team 108', 'Zebra'])
    await owner.team.create({ organizationId, name });
  const wanted = ['Équipe', 'Team 9', 'team 16', 'Team 108', 'Team 118', 'Zebra'];
  const { teams } = await owner.team.list({ orgId: organizationId });
  expect(teams.map(({ name }) => name)).toEqual(wanted);
  const paged: string[] = [];
  for (let cursor: string | undefined, pages = 0; pages < 3; pages += 1) {
    const page = await owner.team.list({ orgId: organizationId, count: 2, cursor });
    paged.push(...page.teams.map(({ name }) => name));
    cursor = page.nextCursor ?? undefined;
  }
  expect(paged).toEqual(wanted);
});

test('an agent in teams is open to their members and to owners and admins; an agent in no team to all members', async () => {
  const { teamId } = await createTeam();
  const [admin, inside, outside] = [await joinAs('admin'), await joinAs('viewer'), await joinAs('editor')];
  await owner.team.update({ id: teamId, members: [inside.userId] });
  expect(await names(owner)).toEqual(['In team', 'Open']);
  expect(await names(admin.client)).toEqual(['In team', 'Open']);
  expect(await names(inside.client)).toEqual(['In team', 'Open']);
  expect(await names(outside.client)).toEqual(['Open']);
});

test('an agent in two teams is open to the members of either', async () => {
  const { inTeam } = await createTeam();
  const person = await joinAs('viewer');
  await owner.team.create({ organizationId, name: 'Second', agents: [inTeam] });
  expect(await names(person.client)).toEqual(['Open']);
  const { teams } = await owner.team.list({ orgId: organizationId });
  await owner.team.update({ id: teams.at(-1)!.id, members: [person.userId] });
  expect(await names(person.client)).toEqual(['In team', 'Open']);
});

test('an agent does not exist for a member outside its teams, whatever they try', async () => {
  const { inTeam } = await createTeam();
  const { client } = await joinAs('editor');
  const { knowledge } = await owner.knowledge.create({
    id: inTeam,
    organizationId,
    type: 'text',
    description: 'Secret',
  });
  const { handle } = (await owner.chatbot.get({ id: inTeam, organizationId })).chatbot;
  const of = { id: inTeam, organizationId };
  const item = { id: inTeam, knowledgeId: knowledge.id };
  const tries: (() => Promise<unknown>)[] = [
    () => client.chatbot.get(of),
    () => client.chatbot.update({ ...of, name: 'Mine' }),
    () => client.chatbot.remove(of),
    () => client.chatbot.getPublic({ idOrHandle: inTeam }),
    () => client.chatbot.getPublic({ idOrHandle: handle }),
    () => client.chat.create({ chatbotId: inTeam }),
    () => client.knowledge.list({ id: inTeam }),
    () => client.knowledge.get(item),
    () => client.knowledge.create({ ...of, type: 'text', description: 'More' }),
    () => client.knowledge.update({ ...item, organizationId, description: 'Other' }),
    () => client.knowledge.remove(item),
    () => client.knowledge.progress({ id: inTeam }),
  ];
  for (const attempt of tries) {
    await expect(attempt()).rejects.toMatchObject({ status: 404, code: 'resource/not-found' });
  }
  expect((await owner.chatbot.get(of)).chatbot.name).toBe('In team');
  const { teams } = await client.team.list({ orgId: organizationId });
  expect(teams.map(({ agents }) => agents)).toEqual([[]]);
});

test('agents and people of another organization cannot be put into a team', async () => {
  const { teamId, inTeam } = await createTeam();
  const stranger = product.as('stranger');
  const other = (await stranger.organization.create({ name: 'Other' })).organization.id;
  const { chatbot } = await stranger.chatbot.create({ organizationId: other, name: 'Theirs' });
  const { user } = await product.sessionOf('stranger');
  const tries: [path: string, () => Promise<unknown>][] = [
    ['agents', () => owner.team.update({ id: teamId, agents: [inTeam, chatbot.id] })],
    ['members', () => owner.team.update({ id: teamId, members: [user.uid] })],
    ['agents', () => owner.team.create({ organizationId, name: 'New', agents: [chatbot.id] })],
  ];
  for (const [path, attempt] of tries)
    await expect(attempt()).rejects.toMatchObject({ status: 404, errors: [{ path }] });
  const { teams } = await owner.team.list({ orgId: organizationId });
  expect(teams).toMatchObject([{ id: teamId, agents: [inTeam], members: [] }]);
});

test('a deleted agent leaves its team’s list but stays in the team', async () => {
  const { teamId, inTeam } = await createTeam();
  await owner.chatbot.remove({ id: inTeam, organizationId });
  expect((await owner.team.update({ id: teamId, agents: [] })).team.agents).toEqual([]);
  const { rows } = await product.app.deps.db.owner.query('select 1 from team_agent where agent_id = $1', [
    inTeam,
  ]);
  expect(rows).toHaveLength(1);
});

async function watch({ refresh }: Joined, agentId: string) {
  const { idToken } = await refresh();
  const socket = io(product.url, { auth: { idToken }, transports: ['websocket'], reconnection: false });
  const isWatching = (await socket.timeout(5000).emitWithAck('agent.watch', agentId)) as boolean;
  let events = 0;
  const memberships: string[] = [];
  socket.on('membership.updated', (event: { organizationId: string }) =>
    memberships.push(event.organizationId),
  );
  socket.on('knowledge.progress.update.result', () => (events += 1));
  return { socket, isWatching, memberships, count: () => events };
}

const endings: [string, (person: Joined, teamId: string) => Promise<unknown>][] = [
  ['removed', ({ memberId }) => owner.member.remove({ id: memberId })],
  ['leaving', ({ client }) => client.organization.leave({ id: organizationId })],
  ['taken out of the team', (_person, teamId) => owner.team.update({ id: teamId, members: [] })],
  [
    'in the team no more, by their own page',
    ({ memberId }) => owner.member.update({ id: memberId, teams: [] }),
  ],
];

test.each(endings)(
  'the sockets of a person who is %s are told, and hear nothing more of the agent',
  async (_fate, end) => {
    const { teamId, inTeam } = await createTeam();
    const [leaving, staying] = [await joinAs('viewer'), await joinAs('viewer')];
    await owner.team.create({ organizationId, name: 'Beside', agents: [inTeam] });
    const beside = (await owner.team.list({ orgId: organizationId })).teams.find(
      ({ name }) => name === 'Beside',
    )!;
    await owner.team.update({ id: teamId, members: [leaving.userId] });
    await owner.team.update({ id: beside.id, members: [staying.userId] });
    const [gone, still] = [await watch(leaving, inTeam), await watch(staying, inTeam)];
    expect([gone.isWatching, still.isWatching]).toEqual([true, true]);
    await end(leaving, teamId);
    await owner.knowledge.create({ id: inTeam, organizationId, type: 'text', description: 'News.' });
    await expect.poll(still.count, patiently).toBeGreaterThan(0);
    expect(gone.count()).toBe(0);
    expect([gone.memberships, still.memberships]).toEqual([[organizationId], []]);
    expect(await gone.socket.timeout(5000).emitWithAck('agent.watch', inTeam)).toBe(false);
    gone.socket.close();
    still.socket.close();
  },
);

test('the sockets of outsiders lose an agent that moves into a team', async () => {
  const agentId = await createAgent('Moves');
  const person = await joinAs('viewer');
  const watching = await watch(person, agentId);
  await owner.team.create({ organizationId, name: 'Closed', agents: [agentId] });
  await owner.knowledge.create({ id: agentId, organizationId, type: 'text', description: 'News.' });
  await expect
    .poll(
      async () => (await owner.knowledge.progress({ id: agentId })).knowledgeProgress.items[0]?.state,
      patiently,
    )
    .toBe('ready');
  expect([watching.isWatching, watching.count()]).toEqual([true, 0]);
  watching.socket.close();
});

test.each(endings)(
  'an answer of a private agent to a person who is %s stops within five seconds',
  async (_fate, end) => {
    const { teamId, inTeam } = await createTeam();
    const person = await joinAs('viewer');
    await owner.team.update({ id: teamId, members: [person.userId] });
    const { conversation } = await person.client.chat.create({ chatbotId: inTeam, text: 'Tell me all.' });
    const state = async () =>
      (await person.client.chat.listMessages({ id: conversation.id })).messages.at(-1)?.state;
    await expect.poll(state).toBe('streaming');
    await end(person, teamId);
    expect(await state()).toBe('stopped');
    const text = async () =>
      (await person.client.chat.listMessages({ id: conversation.id })).messages.at(-1)?.text;
    await expect
      .poll(async () => (await person.client.chat.attach({ id: conversation.id })).answer)
      .toBeNull();
    const kept = await text();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await text()).toBe(kept);
  },
);

test('an answer to a stranger stops when its agent becomes private', async () => {
  const { chatbot } = await owner.chatbot.create({ organizationId, name: 'Public' });
  const guest = product.as('passer-by', 'guest');
  const { conversation } = await guest.chat.create({ chatbotId: chatbot.id, text: 'Tell me all.' });
  const state = async () => (await guest.chat.listMessages({ id: conversation.id })).messages.at(-1)?.state;
  await expect.poll(state).toBe('streaming');
  await owner.chatbot.update({ id: chatbot.id, organizationId, isPublic: false });
  expect(await state()).toBe('stopped');
});

test('a member removed while being added to a team is in no team afterwards', async () => {
  const { teamId } = await createTeam();
  for (let round = 0; round < 5; round += 1) {
    const person = await joinAs('viewer');
    await Promise.allSettled([
      owner.member.remove({ id: person.memberId }),
      owner.team.update({ id: teamId, members: [person.userId] }),
    ]);
    expect((await owner.team.get({ id: teamId })).team.members).toEqual([]);
  }
});

test('a member whom someone else has just added to a team stays in it', async () => {
  const { teamId: id } = await createTeam();
  const [ben, eve] = [await joinAs('editor'), await joinAs('editor')];
  const { name, members, agents } = (await owner.team.get({ id })).team;
  const seen = { name, members, agents };
  await owner.team.update({ id, members: [ben.userId], seen });
  await expect(owner.team.update({ id, members: [eve.userId], seen })).rejects.toMatchObject({
    status: 409,
    errors: [{ path: 'members', now: [ben.userId] }],
  });
  // Not a conflict: what nobody else has changed, and a save that knows theirs.
  await owner.team.update({ id, name: 'Help', seen });
  const both = [ben.userId, eve.userId].toSorted();
  const { team } = await owner.team.update({ id, members: both, seen: { members: [ben.userId] } });
  expect(team.members.toSorted()).toEqual(both);
});
