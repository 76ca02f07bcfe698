import { createLocalJWKSet, jwtVerify, type JWK } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../../../test/browser.ts';
import {
  CANARY,
  knownInTelegram,
  knownVisitor,
  startKnownWorld,
  type KnownWorld,
} from '../../../../test/known-person.ts';
import { eventually } from '../../../../test/payments.ts';
import type { TestClient } from '../../../../test/product.ts';
import { filesWith, rowsWith } from '../../../../test/traces.ts';
import { bearing, visit } from '../../../../test/visit.ts';
import { readQuestions } from '../improvement/read-questions.ts';

let world: KnownWorld;
beforeAll(async () => {
  world = await startKnownWorld();
});
afterAll(() => world.close());

const nobody = () => world.product.as('nobody', 'anonymous');
const done = (token: string) =>
  eventually(async () => {
    const { erasure } = await nobody().privacy.getErasure({ token });
    return erasure.state === 'done' && erasure;
  });

async function traces(...texts: string[]) {
  const { config, db } = world.product.app.deps;
  return {
    rows: await rowsWith(db.owner, texts),
    files: await filesWith(config.dataDir, texts),
    lines: world.logged.filter((line) => texts.some((each) => line.toLowerCase().includes(each))),
  };
}
const none = { rows: [], files: [], lines: [] };

test('a person who erases themselves leaves no trace in rows, files or logs, and gets a receipt of what went', async () => {
  const { person, product, owner, agentId } = world;
  await eventually(async () => (await rowsWith(product.app.deps.db.owner, [person.userId])).length > 20);
  expect((await traces(CANARY)).rows.length).toBeGreaterThan(30);
  expect((await traces(CANARY)).files.length).toBeGreaterThan(0);

  await person.client.privacy.beginExport({});
  await eventually(async () => (await person.client.privacy.getExport({})).export?.state === 'ready');
  const { erasure } = await person.client.privacy.erase({ confirmation: 'erase' });
  expect(erasure).toMatchObject({ scope: 'account', state: 'running', receipt: null });
  await expect(person.client.chat.list()).rejects.toMatchObject({ status: 401 });
  const { erased, kept, receipt, publicKey } = await done(erasure.token);
  expect(await traces(CANARY, person.userId)).toEqual(none);

  expect(erased).toMatchObject({
    conversations: 2,
    files: 2,
    toolCalls: 2,
    connectedAccounts: 1,
    leads: 1,
    feedback: 1,
    handovers: 1,
    notes: 1,
    links: 1,
    entitlements: 1,
    invites: 1,
    memberships: 0,
  });
  expect(kept).toMatchObject({ purchases: 1, work: 0 });
  const keys = { keys: [publicKey as JWK] };
  const { payload, protectedHeader } = await jwtVerify(receipt ?? '', createLocalJWKSet(keys));
  expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'erasure+jwt' });
  expect(payload).toMatchObject({ sub: erasure.id, scope: 'account', erased, kept });
  const published = (await (await fetch(`${product.url}/.well-known/jwks.json`)).json()) as { keys: JWK[] };
  await jwtVerify(receipt ?? '', createLocalJWKSet(published));

  // Someone else's room continues without what they said and the answers to it.
  const opener = product.as('opener');
  const [room] = (await opener.chat.list()).conversations;
  const { messages } = await opener.room.listMessages({ id: room?.id ?? '', count: 100 });
  expect(messages.map(({ text }) => text)).toEqual(['Welcome all', 'Goodbye all']);
  expect((await owner.endUser.list({ id: agentId })).users.map(({ id }) => id)).not.toContain(person.userId);
});

test('an erasure deletes nothing of others’ because of a name or part of an address', async () => {
  const { owner, organizationId, product } = world;
  await owner.member.invite({ organizationId, email: 'anna@erase.example', role: 'viewer' });
  await owner.team.create({ organizationId, name: 'Quite another' });
  const { entries: before } = await owner.audit.list({ organizationId, count: 100 });
  const browser = openBrowser(product);
  await browser.signIn('a@erase.example');
  for (const client of [product.as('viewer'), product.as('name'), browser.client]) {
    const { erasure } = await client.privacy.erase({ confirmation: 'erase' });
    await done(erasure.token);
  }
  expect((await owner.audit.list({ organizationId, count: 100 })).entries).toEqual(before);
});

test('only the sent mails that name the person are deleted', async () => {
  const { product } = world;
  const { owner: database } = product.app.deps.db;
  const browser = openBrowser(product);
  await browser.signIn('mails@erase.example');
  await browser.client.user.register({ name: 'ab', username: 'ab-of-mails' });
  await database.query(
    `insert into mail (id, recipient, subject, text, sent_at) values
       ('mail_names', 'x@example.com', 'ab: wrote', '', now()), ('mail_other', 'x@example.com', 'cab wrote xab', '', now())`,
  );
  await done((await browser.client.privacy.erase({ confirmation: 'erase' })).erasure.token);
  const { rows } = await database.query(`select id from mail where id in ('mail_names', 'mail_other')`);
  expect(rows).toEqual([{ id: 'mail_other' }]);
});

test('a site visitor erases themselves, and a member erases somebody from a channel', async () => {
  const { owner, agentId } = world;
  const visitor = await knownVisitor(world);
  const telegramId = await knownInTelegram(world);
  expect((await traces(CANARY)).rows.length).toBeGreaterThan(4);
  const mine = (await visitor.privacy.erase({ confirmation: 'erase' })).erasure;
  const theirs = (
    await owner.privacy.eraseEndUser({ id: agentId, userId: telegramId, confirmation: 'erase' })
  ).erasure;
  expect(await done(mine.token)).toMatchObject({ erased: { conversations: 1, messages: 2 } });
  expect(await done(theirs.token)).toMatchObject({ erased: { conversations: 1, channelMessages: 1 } });
  expect(await traces(CANARY, telegramId)).toEqual(none);
  // Their token hasn't expired yet, but no longer works.
  await expect(visitor.chat.create({ chatbotId: agentId, text: 'Hello?' })).rejects.toMatchObject({
    status: 401,
  });
  const { entries } = await owner.audit.list({ organizationId: world.organizationId });
  expect(entries[0]).toMatchObject({ action: 'privacy.eraseEndUser', after: { erasure: theirs.id } });
});

test('no topic is named after their questions: it goes, or gets a name that others support', async () => {
  const { product, owner, agentId: id } = world;
  // Used by them alone.
  const WORD = 'quindlevort';
  const { token } = await visit(product, id);
  const visitor = bearing(product, token);
  const ask = async (client: TestClient, texts: string[]) => {
    // Each in a separate conversation, as if several people had asked.
    for (const text of texts) await client.chat.create({ chatbotId: id, text });
  };
  // One topic only they asked about, and one shared with others.
  await ask(visitor, [
    'How do I polish a samovar?',
    'May I polish my samovar?',
    'Who can polish a samovar?',
    `Where is the ${WORD} glider?`,
    `Who has a ${WORD} glider?`,
  ]);
  await ask(product.as('others'), ['Where is the glider?', 'Who has a glider?']);
  await readQuestions(product.app.deps);
  const names = async () => (await owner.improvement.listTopics({ id })).topics.map(({ name }) => name);
  await eventually(async () => {
    // However long the previous grouping took, there is no pause.
    await product.app.deps.db.owner.query('update question_reading set is_due = true, grouped_at = null');
    await readQuestions(product.app.deps);
    const said = (await names()).join();
    return said.includes(WORD) && said.includes('samovar');
  });
  const before = await names();
  const { erasure } = await visitor.privacy.erase({ confirmation: 'erase' });
  await done(erasure.token);
  expect(await traces(WORD, 'samovar')).toEqual(none);
  const after = await names();
  expect(after.length).toBeLessThan(before.length);
  expect(after.some((name) => name.includes('glider'))).toBe(true);
  // Nor does it come back when questions are regrouped.
  await readQuestions(product.app.deps);
  expect(await traces(WORD, 'samovar')).toEqual(none);
});
