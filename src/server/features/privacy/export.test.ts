import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAgentFile } from '../../../../test/agent-file.ts';
import { join } from '../../../../test/join.ts';
import {
  CANARY,
  EMAIL,
  knownVisitor,
  startKnownWorld,
  type KnownWorld,
} from '../../../../test/known-person.ts';
import { eventually } from '../../../../test/payments.ts';
import type { TestClient } from '../../../../test/product.ts';
import { newId } from '../../id.ts';
import { writeExport } from './export.job.ts';
import { beginExport, forgetExports } from './export-store.ts';

let world: KnownWorld;

async function readZip(file: Buffer): Promise<Map<string, Buffer>> {
  const parts = await makeAgentFile.partsOf(file);
  return new Map(parts.map(({ name, content }) => [name, Buffer.from(content)]));
}

beforeAll(async () => {
  world = await startKnownWorld();
});
afterAll(() => world.close());

async function fileOf(client: TestClient): Promise<{ id: string; parts: Map<string, Buffer> }> {
  const { id } = (await client.privacy.beginExport({})).export;
  await eventually(async () => (await client.privacy.getExport({})).export?.state === 'ready', 30);
  const zip = await client.privacy.readExport({ exportId: id });
  return { id, parts: await readZip(Buffer.from(await zip.arrayBuffer())) };
}

/** Everything an organization has, as its owner gets it. */
async function readOrganization(owner: TestClient, id: string): Promise<Map<string, Buffer>> {
  const { id: exportId } = (await owner.privacy.beginExport({ of: id })).export;
  const made = await eventually(async () => {
    const { export: found } = await owner.privacy.getExport({ of: id });
    return found?.state === 'ready' && found;
  }, 30);
  expect(made.done).toBe(made.total);
  const zip = await owner.privacy.readExport({ exportId });
  return readZip(Buffer.from(await zip.arrayBuffer()));
}

const textIn = (parts: Map<string, Buffer>, name: string) => parts.get(name)?.toString() ?? '';
const listIn = (parts: Map<string, Buffer>, name: string) => JSON.parse(textIn(parts, name)) as object[];

test('a person gets everything known about them as one file, and nothing about others', async () => {
  const { client, userId } = world.person;
  const { parts } = await fileOf(client);
  expect(listIn(parts, 'profile.json')).toMatchObject([{ id: userId, email: EMAIL }]);
  for (const name of [
    'feedback.json',
    'contact-details.json',
    'connected-accounts.json',
    'handovers.json',
    'shared-links.json',
    'purchases.json',
    'access.json',
    'invites.json',
  ])
    expect([name, listIn(parts, name)]).toEqual([name, [expect.anything()]]);
  expect(listIn(parts, 'tool-calls.json')).toHaveLength(2);
  expect(listIn(parts, 'purchases.json')).toMatchObject([{ payments: [{ amount: 900 }] }]);

  const documents = [...parts.keys()].filter((name) => name.endsWith('.md'));
  expect(documents).toHaveLength(3);
  const said = documents.map((name) => textIn(parts, name)).join('\n');
  expect(said).toContain(`${CANARY} asks`);
  expect(said).toContain('## Helper (AI), ');
  const files = [...parts.keys()].filter((name) => name.startsWith('files/'));
  expect(files.map((name) => textIn(parts, name)).join()).toContain(`${CANARY} in a file`);
  expect(files.map((name) => textIn(parts, name)).join()).toContain(`${CANARY} sound`);
  const roles = documents.flatMap((name) => {
    const data = JSON.parse(textIn(parts, name.replace(/md$/, 'json'))) as { messages: { role: string }[] };
    return data.messages.map(({ role }) => role);
  });
  expect(new Set(roles)).toEqual(new Set(['user', 'assistant']));

  const all = [...parts.values()].map((part) => part.toString('latin1')).join('\n');
  // Members' notes to each other, and secrets.
  for (const never of ['is difficult', 'stand-in', 'refresh', world.accounts.clientSecret])
    expect(all).not.toContain(never);
});

test('the file is only for the person who requested it, and only until it expires', async () => {
  const visitor = await knownVisitor(world);
  const { id, parts } = await fileOf(visitor);
  expect([...parts.keys()].filter((name) => name.endsWith('.md'))).toHaveLength(1);
  for (const other of [world.owner, world.person.client])
    await expect(other.privacy.readExport({ exportId: id })).rejects.toMatchObject({ status: 404 });
  const { db, storage } = world.product.app.deps;
  const { rows } = await db.owner.query<{ key: string; bytes: string }>(
    `update data_export set expires_at = now() - interval '1 second' where id = $1 returning storage_key as key, bytes`,
    [id],
  );
  await expect(visitor.privacy.readExport({ exportId: id })).rejects.toMatchObject({ status: 404 });
  await forgetExports(db);
  const [{ key, bytes } = { key: '', bytes: '0' }] = rows;
  await eventually(async () =>
    storage.drafts.read(key, Number(bytes)).then(
      () => false,
      () => true,
    ),
  );
});

test('an owner gets everything the organization has, agents as files, no secrets; nobody else does', async () => {
  const { owner, organizationId: id, agentId, person } = world;
  await owner.knowledge.create({
    id: agentId,
    organizationId: id,
    type: 'text',
    description: 'Hours',
    text: 'Nine to five.',
  });
  await expect(person.client.privacy.beginExport({ of: id })).rejects.toMatchObject({
    status: 404,
  });
  const parts = await readOrganization(owner, id);
  const agents = [...parts.keys()].filter((name) => name.startsWith('agents/'));
  expect(agents).toHaveLength(2);
  const inside = await Promise.all(agents.map((name) => readZip(parts.get(name) ?? Buffer.alloc(0))));
  expect(inside.some((agent) => textIn(agent, 'knowledge/items.jsonl').includes('Nine to five.'))).toBe(true);
  const talks = textIn(parts, 'conversations.jsonl').trim().split('\n');
  expect(talks.length).toBeGreaterThan(2);
  expect(talks.join('\n')).toContain(`"author":"ai"`);
  expect(textIn(parts, 'notes.jsonl')).toContain('is difficult');
  expect(textIn(parts, 'audit-log.jsonl')).toContain('privacy.beginExport');
  const all = [...parts.values()].map((part) => part.toString('latin1')).join('\n');
  for (const secret of [
    world.telegram.token,
    world.accounts.clientSecret,
    'token_hash',
    'secret_hash',
    'whsec_',
  ])
    expect(all).not.toContain(secret);
});

test('an organization’s export reveals nothing of temporary or deleted conversations', async () => {
  const { owner, organizationId: id, agentId, product } = world;
  const secret = 'quillotine';
  const guest = product.as('quiet', 'guest');
  const talk = async (temporary: boolean) => {
    const begun = await guest.chat.create({ chatbotId: agentId, text: `${secret} asks`, temporary });
    const conversationId = begun.conversation.id;
    const { messages } = await guest.chat.listMessages({ id: conversationId });
    const messageId = messages.find(({ role }) => role === 'assistant')?.id ?? '';
    await guest.answer.rate({ id: conversationId, messageId, rating: 'down', comment: `${secret} rates` });
    await product.app.deps.db.owner.query(
      `insert into conversation_note (id, organization_id, conversation_id, text) values ($1, $2, $3, $4)`,
      [newId('note'), id, conversationId, `${secret} noted`],
    );
    return conversationId;
  };
  await talk(true);
  await guest.history.remove({ id: await talk(false) });
  const parts = await readOrganization(owner, id);
  const lists = [...parts].filter(([name]) => name.endsWith('.jsonl') && name !== 'audit-log.jsonl');
  expect(lists.map(([name]) => name)).toContain('notes.jsonl');
  for (const [name, content] of lists) expect([name, content.includes(secret)]).toEqual([name, false]);
});

test('an organization’s file is not completed for somebody who no longer owns it', async () => {
  const { owner, organizationId, product } = world;
  const { deps } = product.app;
  const eve = await join(product, owner, 'eve', { organizationId, role: 'admin' });
  const as = (role: string) =>
    deps.db.owner.query('update member set role = $2 where id = $1', [eve.memberId, role]);
  await as('owner');
  const key = { userId: eve.userId, ofOrganization: organizationId };
  const { id: exportId } = (await deps.db.in({ userId: eve.userId }, (tx) => beginExport(tx, key))).stored;
  const demote = async () => {
    await as('admin');
    return Readable.from(['{}']);
  };
  const contents = {
    person: async () => [],
    organization: async () => [
      { name: 'first.json', compress: true, open: demote },
      { name: 'second.json', compress: true, open: async () => Readable.from(['{}']) },
    ],
  };
  await writeExport(deps, contents)({ exportId }, new AbortController().signal);
  await as('owner');
  const { export: found } = await eve.client.privacy.getExport({ of: organizationId });
  expect(found).toMatchObject({ id: exportId, state: 'failed', bytes: null });
});
