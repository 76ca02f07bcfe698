import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeAgentFile, Workshop } from '../../../../test/agent-file.ts';
import { pageOf, startChangingSite, type ChangingSite } from '../../../../test/stand-ins/changing-site.ts';
import { connect, startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { ORGANIZATIONS_A_DAY_MAX } from '../../../contract/limits.ts';
import { plans } from '../../../contract/plans.ts';
import { createApp, type App } from '../../app.ts';
import { user } from '../../db/schema/index.ts';
import { newId } from '../../id.ts';
import { hashSecret, newSecret } from '../../identity/secrets.ts';
import { createLog } from '../../log.ts';
import { insertInvite } from '../member/invite-store.ts';

/**
 * When many callers want the last room of a plan at once, exactly as many get it as there is room for, across two
 * server processes.
 */

const CROWD = 500;
const KILOBYTE = 1000;

const plan = {
  ...plans.FREE_PLAN,
  agents: 10,
  members: 6,
  teams: 10,
  knowledgeBytes: 10 * KILOBYTE,
  storedBytes: 10 * KILOBYTE,
  largestFileBytes: 5 * KILOBYTE,
  crawlPages: 5,
  requestsAMinute: 100,
};

let product: Product;
let site: ChangingSite;
let second: App;
let secondUrl: string;
let ada: TestClient;
let organizationId: string;

beforeAll(async () => {
  site = await startChangingSite(
    Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `/${index}`,
        pageOf(`Page ${index}`, `Text ${index}.`, [`/${index + 1}`, `/${(index * 2) % 12}`]),
      ]),
    ),
  );
  product = await startProduct({
    billing: { mode: 'on', plans: { ...plans, FREE_PLAN: plan } },
    ssrfAllowedHosts: [site.host],
    crawlRequestsPerSecond: 1000,
  });
  const { config } = product.app.deps;
  second = await createApp({ ...config, databaseUrl: product.databaseUrl }, createLog(config));
  await second.http.listen({ host: '127.0.0.1', port: 0 });
  secondUrl = `http://127.0.0.1:${(second.http.server.address() as AddressInfo).port}`;
  ada = product.as('ada');
});
afterAll(async () => {
  await second.close();
  await product.close();
  await site.close();
});
beforeEach(async () => {
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
});

/** The same bearer at one of the two servers, from a separate address. */
function at(index: number, token: string): TestClient {
  return connect({
    baseUrl: index % 2 === 0 ? product.url : secondUrl,
    token: () => token,
    fetch: (input, init) =>
      fetch(input, {
        ...init,
        headers: {
          ...(init?.headers as Record<string, string>),
          'x-forwarded-for': `10.77.${Math.floor(index / 250)}.${index % 250}`,
        },
      }),
  });
}

/** On a slow machine, five hundred callers exceed the database wait limit and are told to retry. */
async function untilAnswered(ask: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if ((error as { status?: number }).status !== 503) throw error;
      await delay(500);
    }
  }
}

/** How many succeeded; all others were refused with a reason. */
async function crowd(
  ask: (client: TestClient, index: number) => Promise<unknown>,
  count = CROWD,
): Promise<number> {
  const { idToken } = await product.sessionOf('ada');
  const results = await Promise.allSettled(
    Array.from({ length: count }, (_, index) => untilAnswered(() => ask(at(index, idToken), index))),
  );
  for (const result of results) {
    if (result.status === 'fulfilled') continue;
    expect(result.reason).toMatchObject({ status: 402, code: 'quota/exceeded' });
    expect(result.reason.message).toContain('The Free plan ');
  }
  return results.filter(({ status }) => status === 'fulfilled').length;
}

const countsOf = async () => (await ada.billing.getUsage({ organizationId })).usage.counts;
const makeAgent = async (name = 'Helper') => (await ada.chatbot.create({ organizationId, name })).chatbot.id;

test('agents: of five hundred created at once exactly as many as the plan allows succeed', async () => {
  expect(await crowd((client) => client.chatbot.create({ organizationId, name: 'Helper' }))).toBe(
    plan.agents,
  );
  expect(await countsOf()).toMatchObject({ agents: plan.agents });
});

test('restored, duplicated and moved agents need room as well, and the trash takes none', async () => {
  const trashed = await makeAgent('Trashed');
  await ada.chatbot.remove({ id: trashed, organizationId });
  const first = await makeAgent();
  for (let made = 1; made < plan.agents - 1; made += 1) await makeAgent();
  const results = await Promise.allSettled([
    ada.agentKeeping.restore({ id: trashed, organizationId }),
    makeAgent('The other'),
  ]);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(ada.agentFile.duplicate({ id: first, organizationId })).rejects.toMatchObject({ status: 402 });
  const other = (await ada.organization.create({ name: 'Other' })).organization.id;
  const mover = (await ada.chatbot.create({ organizationId: other, name: 'Mover' })).chatbot.id;
  const move = () =>
    ada.agentKeeping.transfer({
      id: mover,
      organizationId: other,
      toOrganizationId: organizationId,
      name: 'Mover',
    });
  await expect(move()).rejects.toMatchObject({ status: 402, code: 'quota/exceeded' });
  expect((await ada.chatbot.list({ organizationId: other })).chatbots).toHaveLength(1);
  await ada.chatbot.remove({ id: first, organizationId });
  await move();
  expect(await countsOf()).toMatchObject({ agents: plan.agents });
});

test('a duplicate that finds no room at the end leaves nothing', async () => {
  const id = await makeAgent();
  for (let made = 2; made < plan.agents; made += 1) await makeAgent();
  const begun = await Promise.all([1, 2, 3].map(() => ada.agentFile.duplicate({ id, organizationId })));
  const stateOf = async (importId: string) =>
    (await ada.agentFile.getImport({ organizationId, importId })).import.state;
  const ids = begun.map((each) => each.import.id);
  const isOver = (state: string) => state === 'ready' || state === 'failed';
  await expect.poll(async () => (await Promise.all(ids.map(stateOf))).every(isOver)).toBe(true);
  expect((await Promise.all(ids.map(stateOf))).toSorted()).toEqual(['failed', 'failed', 'ready']);
  expect(await countsOf()).toMatchObject({ agents: plan.agents });
});

/** A signed-in person with a verified address and an invite to this organization. */
async function invited(index: number, invitedBy: string): Promise<{ token: string; inviteToken: string }> {
  const { db, identity } = product.app.deps;
  const email = `guest-${index}-${organizationId.slice(-6).toLowerCase()}@example.com`;
  const inviteToken = newSecret();
  const person = await db.in({ organizationId }, async (tx) => {
    const values = { organizationId, role: 'viewer' as const, teams: [], email, invitedBy };
    await insertInvite(tx, { ...values, tokenHash: hashSecret(inviteToken) });
    const [made] = await tx
      .insert(user)
      .values({
        id: newId('user'),
        name: `Guest ${index}`,
        profilePhoto: '/images/guest.svg',
        email,
        emailVerified: true,
        isAnonymous: false,
      })
      .returning();
    return made;
  });
  if (!person) throw new Error('Nobody was made.');
  return { token: (await identity.startSession(person)).idToken, inviteToken };
}

test('members: of five hundred who accept at once exactly as many join as there are seats', async () => {
  const owner = (await product.sessionOf('ada')).user.uid;
  const people = await Promise.all(Array.from({ length: CROWD }, (_, index) => invited(index, owner)));
  const results = await Promise.allSettled(
    people.map(({ token, inviteToken }, index) =>
      untilAnswered(() => at(index, token).member.answerInvite({ inviteToken, status: 'accepted' })),
    ),
  );
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 402 });
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(plan.members - 1);
  expect(await countsOf()).toMatchObject({ members: plan.members });
  await expect(
    ada.member.invite({ organizationId, email: 'late@example.com', role: 'viewer' }),
  ).rejects.toMatchObject({ status: 402, message: expect.stringContaining('room for 6 members') });
});

test('insights reach back as far as the plan allows, and nothing is deleted for that', async () => {
  const agentId = await makeAgent();
  expect((await ada.insight.get({ agentId, period: '30d' })).insight.period).toBe('30d');
  await expect(ada.insight.get({ agentId, period: '90d' })).rejects.toMatchObject({
    status: 402,
    message: expect.stringContaining('shows 30 days of insights. A larger plan has more.'),
  });
  await expect(ada.insight.getOrganization({ organizationId, period: '1y' })).rejects.toMatchObject({
    status: 402,
  });
});

test('teams: of five hundred created at once exactly as many as the plan allows succeed', async () => {
  expect(await crowd((client, index) => client.team.create({ organizationId, name: `Team ${index}` }))).toBe(
    plan.teams,
  );
  expect(await countsOf()).toMatchObject({ teams: plan.teams });
});

test('stored bytes: files and open uploads share the room, and none exceeds the plan’s file size', async () => {
  const { idToken } = await product.sessionOf('ada');
  const begin = async (index: number) => {
    const response = await fetch(`${index % 2 === 0 ? product.url : secondUrl}/v1/file/upload`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${idToken}`,
        'tus-resumable': '1.0.0',
        'upload-length': String(KILOBYTE),
        'upload-metadata': `filename ${btoa('a.txt')},organizationId ${btoa(organizationId)}`,
      },
    });
    if (response.status === 503) throw response;
    expect([201, 402]).toContain(response.status);
    return response.status === 201;
  };
  const text = 'x'.repeat(KILOBYTE);
  const results = await Promise.all([
    ...Array.from({ length: CROWD / 2 }, (_, index) => untilAnswered(() => begin(index))),
    crowd((client) => client.file.upload({ organizationId, media: new File([text], 'a.txt') }), CROWD / 2),
  ]);
  const taken = results.reduce<number>((sum, each) => sum + Number(each), 0);
  expect(taken).toBe(10);
  expect(await countsOf()).toMatchObject({ storedBytes: plan.storedBytes });
  const large = new File(['x'.repeat(plan.largestFileBytes + 1)], 'large.txt');
  await expect(ada.file.upload({ organizationId, media: large })).rejects.toMatchObject({
    status: 402,
    message: expect.stringContaining('accepts files of up to'),
  });
});

test('knowledge: texts take exactly the available room', async () => {
  const id = await makeAgent();
  const text = 'é'.repeat(KILOBYTE / 2);
  const add = (client: TestClient) =>
    client.knowledge.create({ id, organizationId, type: 'text', description: text });
  expect(await crowd(add)).toBe(10);
  expect(await countsOf()).toMatchObject({ knowledgeBytes: plan.knowledgeBytes });
});

test('a file whose text finds no room fails with advice, and a smaller edit is accepted', async () => {
  const id = await makeAgent();
  const { knowledge } = await ada.knowledge.create({
    id,
    organizationId,
    type: 'text',
    description: 'Long',
    text: 'word '.repeat(1800),
  });
  const itemOf = async (knowledgeId: string) =>
    (await ada.knowledge.get({ id, knowledgeId })).knowledge.progress;
  await expect.poll(async () => (await itemOf(knowledge.id)).state, { timeout: 60_000 }).toBe('ready');
  const { file } = await ada.file.upload({
    organizationId,
    media: new File(['other '.repeat(300)], 'a.txt', { type: 'text/plain' }),
  });
  const added = await ada.knowledge.create({
    id,
    organizationId,
    type: 'file',
    description: 'A file',
    files: [file.id],
  });
  await expect.poll(async () => (await itemOf(added.knowledge.id)).state, { timeout: 60_000 }).toBe('failed');
  expect((await itemOf(added.knowledge.id)).error).toBe(
    'The Free plan has room for 0.01 MB of knowledge text. Remove something or choose a larger plan.',
  );
  const change = (words: number) =>
    ada.knowledge.update({ id, organizationId, knowledgeId: knowledge.id, text: 'word '.repeat(words) });
  await expect(change(2100)).rejects.toMatchObject({ status: 402 });
  await change(100);
});

test('a file inside an agent file may not exceed the plan’s file size, and a refused one leaves nothing', async () => {
  const id = await makeAgent();
  const { file } = await ada.file.upload({ organizationId, media: new File(['Nine to five.'], 'a.txt') });
  await ada.knowledge.create({ id, organizationId, type: 'file', files: [file.id], description: 'Hours' });
  const workshop = new Workshop(product, 'ada', organizationId);
  await expect.poll(() => workshop.statesOf(id)).toEqual(['ready']);
  const parts = await makeAgentFile.partsOf(await workshop.exported(id));
  const before = await countsOf();
  const grown = parts.map(({ name, content }) => ({
    name,
    content: name.startsWith('knowledge/files/') ? Buffer.alloc(plan.largestFileBytes + 1, 'a') : content,
  }));
  const { state, error } = await workshop.imported(makeAgentFile.zip(grown));
  expect([state, error]).toEqual([
    'failed',
    expect.stringMatching(/^knowledge\/files.*accepts files of up to/),
  ]);
  expect(await countsOf()).toEqual(before);
  expect(await workshop.imported(makeAgentFile.zip(parts))).toMatchObject({ state: 'ready' });
});

test('nobody evades a plan by creating more and more organizations', async () => {
  const eve = product.as('eve-of-many');
  const make = () => eve.organization.create({ name: 'One more' });
  for (let made = 0; made < ORGANIZATIONS_A_DAY_MAX; made += 1) await make();
  await expect(make()).rejects.toMatchObject({ status: 429 });
  expect((await eve.organization.list()).organizations).toHaveLength(ORGANIZATIONS_A_DAY_MAX);
});

test('a schedule or a number of addresses beyond the plan is refused', async () => {
  const id = await makeAgent();
  const site = { id, organizationId, type: 'website', description: 'A site' } as const;
  const links = ['https://one.example/'];
  const message = 'The Free plan re-syncs only manually.';
  await expect(ada.knowledge.create({ ...site, links, schedule: 'weekly' })).rejects.toMatchObject({
    status: 402,
    message,
    errors: [{ path: 'schedule', message }],
  });
  const many = Array.from({ length: 6 }, (_, index) => `https://one.example/${index}`);
  await expect(ada.knowledge.create({ ...site, links: many })).rejects.toMatchObject({ status: 402 });
});

test('as many pages of a site are read as the plan allows, with a note that there are more', async () => {
  const id = await makeAgent();
  const { knowledge } = await ada.knowledge.create({
    id,
    organizationId,
    type: 'website',
    description: 'A site',
    links: [`${site.url}/0`],
    site: { mode: 'domain', maxDepth: 5 },
  });
  const item = async () => (await ada.knowledge.get({ id, knowledgeId: knowledge.id })).knowledge.progress;
  await expect.poll(async () => (await item()).state, { timeout: 60_000 }).toBe('ready');
  expect(await item()).toMatchObject({
    total: plan.crawlPages,
    error: expect.stringContaining('reads 5 pages per website, and this one has more'),
  });
});

test('API requests: per minute both servers together answer as many as the plan allows, and say when to retry', async () => {
  const { secret } = await ada.apiKey.create({ organizationId, name: 'Program', scope: 'read' });
  const untilNext = 60_000 - (Date.now() % 60_000);
  if (untilNext < 20_000) await new Promise((resolve) => setTimeout(resolve, untilNext + 200));
  const results = await Promise.all(
    Array.from({ length: CROWD }, async (_, index) =>
      fetch(`${index % 2 === 0 ? product.url : secondUrl}/v1/chatbot?organizationId=${organizationId}`, {
        headers: { authorization: `Bearer ${secret}` },
      }),
    ),
  );
  expect(results.filter(({ status }) => status === 200)).toHaveLength(plan.requestsAMinute);
  const refused = results.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(CROWD - plan.requestsAMinute);
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await ada.chatbot.list({ organizationId })).chatbots).toEqual([]);
});

test('end users named in API requests beyond the plan are not recorded', async () => {
  const id = await makeAgent();
  const { apiKey } = await ada.visitor.rotateApiKey({ id });
  const results = await Promise.all(
    Array.from({ length: CROWD }, (_, index) =>
      fetch(`${product.url}/v1/chat`, {
        headers: { authorization: `Bearer ${apiKey}`, 'end-user': `user-${index}` },
      }),
    ),
  );
  // A slow machine is too busy for some of them.
  expect(results.filter(({ status }) => ![200, 429, 503].includes(status))).toEqual([]);
  const answered = results.filter(({ status }) => status === 200).length;
  expect(answered).toBeGreaterThan(0);
  const { rowCount } = await product.app.deps.db.owner.query('select from visitor where agent_id = $1', [id]);
  expect(rowCount).toBe(answered);
});
