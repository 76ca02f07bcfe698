import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { join } from '../../../../test/join.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { auditedCalls } from '../../../contract/audited.ts';
import { changesBetween } from './changes.ts';
import { csvOf } from '../../csv.ts';

let product: Product;
let owner: TestClient;
let organizationId: string;
beforeAll(async () => {
  product = await startProduct();
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(() => product.close());

const newest = async () => (await owner.audit.list({ organizationId, count: 1 })).entries[0];

test('every change to an organization is logged: who, what, before and after, from where', async () => {
  const { user } = await product.sessionOf('owner');
  await owner.organization.updateProfile({ id: organizationId, name: 'Acme Ltd' });
  expect(await newest()).toMatchObject({
    action: 'organization.updateProfile',
    actorId: user.uid,
    actorName: 'owner',
    targetId: organizationId,
    targetName: 'Acme',
    before: { name: 'Acme' },
    after: { name: 'Acme Ltd' },
    address: expect.stringMatching(/^10\./) as string,
  });
});

test('each call that changes something makes one entry of its own', async () => {
  const id = (await owner.organization.create({ name: 'All' })).organization.id;
  const admin = await join(product, owner, 'audited', { organizationId: id, role: 'admin' });
  await owner.member.update({ id: admin.memberId, role: 'editor' });
  const { invite } = await owner.member.invite({
    organizationId: id,
    email: 'new@example.com',
    role: 'viewer',
  });
  await owner.member.resendInvite({ id: invite.id });
  await owner.member.revokeInvite({ id: invite.id });
  const { team } = await owner.team.create({ organizationId: id, name: 'Team' });
  await owner.team.update({ id: team.id, members: [admin.userId] });
  await owner.team.remove({ id: team.id });
  const { apiKey } = await owner.apiKey.create({ organizationId: id, name: 'Key', scope: 'read' });
  await owner.apiKey.revoke({ id: apiKey.id });
  const { chatbot } = await owner.chatbot.create({ organizationId: id, name: 'Helper' });
  const of = { id: chatbot.id, organizationId: id };
  await owner.chatbot.update({ ...of, customInstructions: 'x'.repeat(5000), language: 'de' });
  const { knowledge } = await owner.knowledge.create({ ...of, type: 'text', description: 'Hours' });
  const item = { id: chatbot.id, knowledgeId: knowledge.id };
  await owner.knowledge.update({ ...item, organizationId: id, description: 'Opening hours' });
  await owner.knowledge.remove(item);
  await owner.chatbot.remove(of);
  await owner.organization.transfer({ id, memberId: admin.memberId });
  await owner.organization.leave({ id });
  const { entries } = await admin.client.audit.list({ organizationId: id, count: 100 });
  expect(entries.map(({ action }) => action).toReversed()).toEqual([
    'organization.create',
    'member.invite',
    'member.answerInvite',
    'member.update',
    'member.invite',
    'member.resendInvite',
    'member.revokeInvite',
    'team.create',
    'team.update',
    'team.remove',
    'apiKey.create',
    'apiKey.revoke',
    'chatbot.create',
    'chatbot.update',
    'knowledge.create',
    'knowledge.update',
    'knowledge.remove',
    'chatbot.remove',
    'organization.transfer',
    'organization.leave',
  ]);
  expect(entries.find(({ action }) => action === 'member.update')).toMatchObject({
    before: { role: 'admin' },
    after: { role: 'editor' },
  });
  expect(entries.find(({ action }) => action === 'chatbot.update')).toMatchObject({
    before: { customInstructions: '', language: null },
    after: { customInstructions: '(5000 characters)', language: 'de' },
  });
});

test('every action that can be searched for is logged by some call', async () => {
  const files = globSync('src/server/features/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const code = sources.join('\n');
  const never = auditedCalls.filter((call) => !code.includes(`'${call}'`));
  expect(never).toEqual([]);
});

test('a save that changes nothing is not logged', async () => {
  const before = await newest();
  await owner.organization.updateProfile({ id: organizationId, name: 'Acme Ltd' });
  expect(await newest()).toEqual(before);
});

test('an agent’s entry holds only what changed, and that of a file or link its name', async () => {
  const { id } = (await owner.chatbot.create({ organizationId, name: 'Exact' })).chatbot;
  const made = await newest();
  await owner.chatbot.update({ id, organizationId });
  expect(await newest()).toEqual(made);
  await owner.chatbot.update({ id, organizationId, name: 'Exactly' });
  expect(await newest()).toMatchObject({ action: 'chatbot.update' });
  expect((await newest())?.after).toEqual({ name: 'Exactly' });
  const media = new File(['# Prices'], 'prices.md', { type: 'text/markdown' });
  const { file } = await owner.file.upload({ organizationId, media });
  const { knowledge } = await owner.knowledge.create({ id, organizationId, type: 'file', files: [file.id] });
  expect(await newest()).toMatchObject({ action: 'knowledge.create', targetName: 'prices.md' });
  await owner.knowledge.remove({ id, knowledgeId: knowledge.id });
  expect(await newest()).toMatchObject({ action: 'knowledge.remove', targetName: 'prices.md' });
});

test('replacing a secret is logged, but not the secret', async () => {
  const { id: agentId } = (await owner.chatbot.create({ organizationId, name: 'Careful' })).chatbot;
  const { tool } = await owner.tool.create({ organizationId, agentId });
  const signIn = { serverUrl: 'https://shop.example', authentication: { type: 'bearer' } } as const;
  await owner.tool.update({ id: tool.id, ...signIn, secret: 'hunter-one' });
  await owner.tool.update({ id: tool.id, secret: 'hunter-two' });
  expect(await newest()).toMatchObject({
    action: 'tool.update',
    targetId: tool.id,
    after: { secret: 'new' },
  });
  await owner.tool.update({
    id: tool.id,
    form: [{ key: 'mail', label: 'E-mail', kind: 'email', required: true }],
  });
  expect(await newest()).toMatchObject({ action: 'tool.update', before: { form: [] } });
  const settingsData = { address: 'bot@example.com', name: 'Bot' };
  const { plugin } = await owner.plugin.create({ chatbotId: agentId, type: 'email', settingsData });
  await owner.plugin.update({
    id: plugin.id,
    credentials: { smtpUrl: 'smtps://me:hunter-three@127.0.0.1:1' },
  });
  expect(await newest()).toMatchObject({
    action: 'plugin.update',
    targetId: plugin.id,
    after: { credentials: 'new' },
  });
  const { entries } = await owner.audit.list({ organizationId, count: 100 });
  expect(JSON.stringify(entries)).not.toContain('hunter');
});

test('a refused call is not logged', async () => {
  const before = await newest();
  await expect(
    owner.team.create({ organizationId, name: 'X', agents: ['agt_00000000000000000000000000'] }),
  ).rejects.toMatchObject({ status: 404 });
  expect(await newest()).toEqual(before);
});

test('the log is read page by page, and by action, person and time', async () => {
  const id = (await owner.organization.create({ name: 'Pages' })).organization.id;
  for (const name of ['1', '2', '3', '4']) await owner.team.create({ organizationId: id, name });
  const read: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await owner.audit.list({ organizationId: id, count: 2, ...(cursor ? { cursor } : {}) });
    read.push(...page.entries.map(({ targetName }) => targetName ?? ''));
    cursor = page.nextCursor;
  } while (cursor);
  expect(read).toEqual(['4', '3', '2', '1', 'Pages']);
  const names = async (filter: object) =>
    (await owner.audit.list({ organizationId: id, ...filter })).entries.map(({ targetName }) => targetName);
  expect(await names({ action: 'organization.create' })).toEqual(['Pages']);
  expect(await names({ actorId: 'usr_00000000000000000000000000' })).toEqual([]);
  expect(await names({ from: new Date(Date.now() + 60_000).toISOString() })).toEqual([]);
  expect(await names({ to: new Date(Date.now() - 60_000).toISOString() })).toEqual([]);
  await expect(owner.audit.list({ organizationId: id, cursor: 'nonsense' })).rejects.toMatchObject({
    status: 400,
  });
});

test('the export is CSV that no spreadsheet takes for formulas', async () => {
  const id = (await owner.organization.create({ name: '=cmd()' })).organization.id;
  const { csv } = await owner.audit.export({ organizationId: id });
  const [header, row] = csv.split('\r\n');
  expect(header).toBe(
    '"createdAt","action","actorId","actorName","targetId","targetName","before","after","address"',
  );
  expect(row).toContain(`,"'=cmd()",`);
});

test.each(['=1', '+1', '-1', '@a', '\t=1', '\r=1', '＝1', '＋1', '－1', '＠a', '  =1', '"=1', `'=1`, '\n=1'])(
  'the cell %j begins with an apostrophe',
  (value) => {
    expect(csvOf([[value]])).toBe(`"'${value.replaceAll('"', '""')}"\r\n`);
  },
);

test('other cells stay unchanged', () => {
  expect(csvOf([['a "b"', 'x=1', 'two\nlines', '']])).toBe('"a ""b""","x=1","two\nlines",""\r\n');
});

test('secrets are never among the changes', () => {
  const changes = changesBetween({ secretHash: 'a', tokenHash: 'a' }, { secretHash: 'b', tokenHash: 'b' });
  expect(changes).toEqual({ before: {}, after: {} });
});
