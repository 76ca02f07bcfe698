import { afterAll, beforeAll, expect, test } from 'vitest';
import { join } from '../../../../test/join.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { INSIGHT_LINK_READS_PER_MINUTE_AND_ADDRESS, INSIGHT_LINKS_MAX } from '../../../contract/limits.ts';
import { plans } from '../../../contract/plans.ts';

let product: Product;
let ada: TestClient;
let organizationId: string;
let agentId: string;

beforeAll(async () => {
  product = await startProduct({
    billing: {
      mode: 'on',
      plans: { ...plans, FREE_PLAN: { ...plans.FREE_PLAN, members: 3, agents: 5, requestsAMinute: 1000 } },
    },
  });
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  await ada.chatbot.update({ id: agentId, organizationId, isPublic: true });
  const bob = product.as('bob');
  for (const text of ['Secret words of Bob', 'More of them'])
    await bob.chat.send({ id: (await bob.chat.create({ chatbotId: agentId })).conversation.id, text });
  await ada.chatbot.update({ id: agentId, organizationId, isPublic: false });
});
afterAll(() => product.close());

const nobody = () => product.as('nobody', 'anonymous');
const make = async (days?: number) => ada.insightLink.create({ agentId, name: 'For the board', days });
const query = (sql: string, values: unknown[]) => product.app.deps.db.owner.query(sql, values);

test('anybody with the link sees numbers and charts, but no person and no secret', async () => {
  const { token } = await make();
  const shown = await nobody().insightLink.read({ token, period: '7d', timeZone: 'Europe/Berlin' });
  expect(shown).toMatchObject({
    agentName: 'Helper',
    insight: { now: { conversations: 2, messages: 2, people: 1 } },
  });
  expect(shown.insight.series).toHaveLength(7);
  const all = JSON.stringify(shown);
  for (const secret of [
    'Secret',
    'bob',
    'usr_',
    'org_',
    'agt_',
    'cnv_',
    'costUsd',
    'Tokens',
    'credits',
    'revenue',
    'sources',
  ])
    expect(all).not.toContain(secret);
});

test('a link that was removed, has expired or never existed leads to the same nothing', async () => {
  const [removed, expired, kept] = [await make(), await make(7), await make(7)];
  await ada.insightLink.remove({ agentId, linkId: removed.link.id });
  await query(`update insight_link set expires_at = now() where id = $1`, [expired.link.id]);
  const answers = await Promise.all(
    [removed.token, expired.token, 'never', `${kept.token}x`, kept.token.toLowerCase(), kept.link.id].map(
      async (token) => {
        const response = await fetch(`${product.url}/v1/insight/link/${token}`);
        const {
          requestId: _,
          instance: _where,
          ...problem
        } = (await response.json()) as Record<string, unknown>;
        return { status: response.status, problem };
      },
    ),
  );
  expect(answers[0]).toMatchObject({ status: 404 });
  for (const each of answers) expect(each).toEqual(answers[0]);
  expect((await nobody().insightLink.read({ token: kept.token })).agentName).toBe('Helper');
});

test('only a token’s hash is stored, and none of it is shown again', async () => {
  const { token, link } = await make(30);
  const { rows } = await query(`select to_jsonb(l)::text as row from insight_link l where id = $1`, [
    link.id,
  ]);
  expect(rows).toHaveLength(1);
  const { links } = await ada.insightLink.list({ agentId });
  expect(links[0]).toEqual(link);
  const { entries } = await ada.audit.list({ organizationId });
  expect(entries[0]).toMatchObject({
    action: 'insightLink.create',
    targetId: link.id,
    targetName: 'For the board',
  });
  expect(JSON.stringify([rows, links, entries])).not.toContain(token);
  expect(Buffer.from(token, 'base64url').length * 8).toBeGreaterThanOrEqual(128);
});

test('a link reaches as far back as the plan does, and says nothing of the plan', async () => {
  const { token } = await make();
  expect((await nobody().insightLink.read({ token })).periods).toEqual(['24h', '7d', '30d']);
  await expect(nobody().insightLink.read({ token, period: '1y' })).rejects.toMatchObject({ status: 400 });
});

test('a viewer cannot create links, and an agent has a limited number', async () => {
  const { client } = await join(product, ada, 'vera', { organizationId, role: 'viewer', teams: [] });
  await expect(client.insightLink.create({ agentId, name: 'Mine' })).rejects.toMatchObject({ status: 403 });
  await expect(client.insightLink.list({ agentId })).rejects.toMatchObject({ status: 403 });
  const { links } = await ada.insightLink.list({ agentId });
  const tries = Array.from({ length: INSIGHT_LINKS_MAX - links.length + 3 }, () =>
    make().then(
      () => true,
      () => false,
    ),
  );
  expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(INSIGHT_LINKS_MAX - links.length);
  await expect(make()).rejects.toMatchObject({ status: 409, code: 'resource/conflict' });
});

test('links end when their agent is deleted or moves to another organization', async () => {
  const { id } = (await ada.chatbot.create({ organizationId, name: 'Moving' })).chatbot;
  const { token } = await ada.insightLink.create({ agentId: id, name: 'Old' });
  await nobody().insightLink.read({ token });
  const other = (await ada.organization.create({ name: 'Beta' })).organization.id;
  await ada.agentKeeping.transfer({ id, organizationId, toOrganizationId: other, name: 'Moving' });
  await expect(nobody().insightLink.read({ token })).rejects.toMatchObject({ status: 404 });
  const later = await ada.insightLink.create({ agentId: id, name: 'New' });
  await ada.chatbot.remove({ id, organizationId: other });
  await expect(nobody().insightLink.read({ token: later.token })).rejects.toMatchObject({ status: 404 });
});

test('repeated reads are rate limited', async () => {
  const ask = async () => (await fetch(`${product.url}/v1/insight/link/guess`)).status;
  const statuses = await Promise.all(
    Array.from({ length: INSIGHT_LINK_READS_PER_MINUTE_AND_ADDRESS + 5 }, ask),
  );
  expect(statuses).toContain(429);
});
