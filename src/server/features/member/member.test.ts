import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { join, type Joined } from '../../../../test/join.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';

let product: Product;
let owner: TestClient;
let organizationId: string;
beforeAll(async () => {
  product = await startProduct();
  owner = product.as('owner');
});
afterAll(() => product.close());
beforeEach(async () => {
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
});

let people = 0;
function joinAs(role: 'admin' | 'editor' | 'viewer'): Promise<Joined> {
  people += 1;
  return join(product, owner, `${role}-${people}`, { organizationId, role });
}

async function ownerMember() {
  const { members } = await owner.member.list({ orgId: organizationId });
  return members.find(({ role }) => role === 'owner')!;
}

/** Additional owners can only come from an older backup or an administrator's direct change. */
async function makeOwner({ memberId }: Joined): Promise<void> {
  await product.app.deps.db.owner.query(`update member set role = 'owner' where id = $1`, [memberId]);
}

test('members see each other; addresses are visible only to those who manage the organization', async () => {
  const viewer = await joinAs('viewer');
  const seen = (await viewer.client.member.list({ orgId: organizationId })).members;
  expect(seen.map(({ role, email }) => [role, email])).toEqual([
    ['owner', null],
    ['viewer', viewer.email],
  ]);
  const { member } = await owner.member.get({ id: viewer.memberId });
  expect(member).toMatchObject({ userId: viewer.userId, role: 'viewer', email: viewer.email, teams: [] });
});

test('a changed role takes effect on the next request', async () => {
  const person = await joinAs('viewer');
  const create = () => person.client.chatbot.create({ organizationId, name: 'Helper' });
  await expect(create()).rejects.toMatchObject({ status: 403 });
  await owner.member.update({ id: person.memberId, role: 'editor' });
  await expect(create()).resolves.toBeTruthy();
  expect(await person.client.organization.selfRole({ orgId: organizationId })).toEqual({ role: 'editor' });
});

test('nobody below an admin can change a role, their own included', async () => {
  const editor = await joinAs('editor');
  for (const role of ['admin', 'editor', 'viewer'] as const) {
    await expect(editor.client.member.update({ id: editor.memberId, role })).rejects.toMatchObject({
      status: 403,
    });
  }
  await expect(editor.client.member.update({ id: editor.memberId, role: 'owner' })).rejects.toMatchObject({
    status: 403,
  });
});

test('an admin can neither change nor remove an owner, nor make one', async () => {
  const admin = await joinAs('admin');
  const { id } = await ownerMember();
  await expect(admin.client.member.update({ id, role: 'viewer' })).rejects.toMatchObject({ status: 403 });
  await expect(admin.client.member.update({ id, teams: [] })).rejects.toMatchObject({ status: 403 });
  await expect(admin.client.member.remove({ id })).rejects.toMatchObject({ status: 403 });
  const transfer = admin.client.organization.transfer({ id: organizationId, memberId: admin.memberId });
  await expect(transfer).rejects.toMatchObject({ status: 403 });
  await expect(
    admin.client.member.invite({ organizationId, email: 'x@example.com', role: 'owner' }),
  ).rejects.toMatchObject({ status: 403 });
  await expect(admin.client.member.update({ id: admin.memberId, role: 'owner' })).rejects.toMatchObject({
    status: 403,
  });
  expect((await ownerMember()).id).toBe(id);
});

test('the last owner can be neither demoted nor removed, and cannot leave', async () => {
  const { id } = await ownerMember();
  const lastOwner = { status: 409, code: 'member/last-owner' };
  await expect(owner.member.update({ id, role: 'admin' })).rejects.toMatchObject(lastOwner);
  await expect(owner.member.remove({ id })).rejects.toMatchObject(lastOwner);
  await expect(owner.organization.leave({ id: organizationId })).rejects.toMatchObject(lastOwner);
});

test.each(['demote', 'leave', 'remove'])('of two owners who %s at once one remains', async (way) => {
  const other = await joinAs('admin');
  await makeOwner(other);
  const { id } = (await owner.member.list({ orgId: organizationId })).members[0]!;
  const ways = {
    demote: () => [
      owner.member.update({ id, role: 'admin' }),
      other.client.member.update({ id: other.memberId, role: 'admin' }),
    ],
    leave: () => [
      owner.organization.leave({ id: organizationId }),
      other.client.organization.leave({ id: organizationId }),
    ],
    remove: () => [owner.member.remove({ id }), other.client.member.remove({ id: other.memberId })],
  } as Record<string, () => Promise<unknown>[]>;
  const outcomes = await Promise.allSettled(ways[way]!());
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { status: 409, code: 'member/last-owner' },
  });
});

test('two owners who demote each other at once leave one owner', async () => {
  const other = await joinAs('admin');
  await makeOwner(other);
  const { id } = (await owner.member.list({ orgId: organizationId })).members[0]!;
  const outcomes = await Promise.allSettled([
    owner.member.update({ id: other.memberId, role: 'viewer' }),
    other.client.member.update({ id, role: 'viewer' }),
  ]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { status: 403 } });
});

test('a team of another organization is not found, and nothing changes', async () => {
  const person = await joinAs('viewer');
  const stranger = product.as('stranger');
  const { organization } = await stranger.organization.create({ name: 'Other' });
  const { team } = await stranger.team.create({ organizationId: organization.id, name: 'Theirs' });
  await expect(
    owner.member.update({ id: person.memberId, role: 'admin', teams: [team.id] }),
  ).rejects.toMatchObject({ status: 404 });
  expect((await owner.member.get({ id: person.memberId })).member.role).toBe('viewer');
});

test('a removed member loses access; their work stays, but nothing they issued', async () => {
  const admin = await joinAs('admin');
  const { chatbot } = await admin.client.chatbot.create({ organizationId, name: 'Their work' });
  const { secret } = await admin.client.apiKey.create({ organizationId, name: 'Theirs', scope: 'write' });
  const { invite } = await admin.client.member.invite({
    organizationId,
    email: 'friend@example.com',
    role: 'admin',
  });
  const { team } = await owner.team.create({ organizationId, name: 'Team' });
  await owner.team.update({ id: team.id, members: [admin.userId] });

  const withKey = () =>
    fetch(`${product.url}/v1/chatbot?organizationId=${organizationId}`, {
      headers: { authorization: `Bearer ${secret}` },
    });
  expect((await withKey()).status).toBe(200);

  await owner.member.remove({ id: admin.memberId });

  expect((await withKey()).status).toBe(401);
  await expect(admin.client.chatbot.list({ organizationId })).rejects.toMatchObject({ status: 404 });
  expect(await admin.client.organization.list()).toMatchObject({ organizations: [] });
  expect((await owner.chatbot.list({ organizationId })).chatbots.map(({ id }) => id)).toEqual([chatbot.id]);
  expect((await owner.team.get({ id: team.id })).team.members).toEqual([]);
  expect((await owner.apiKey.list({ organizationId })).apiKeys).toEqual([]);
  const { invites } = await owner.member.listInvites({ orgId: organizationId });
  expect(invites.find(({ id }) => id === invite.id)?.status).toBe('revoked');
});

test('ownership is transferred: the new owner owns, the old one is an admin', async () => {
  const heir = await joinAs('editor');
  await owner.organization.transfer({ id: organizationId, memberId: heir.memberId });
  expect(await heir.client.organization.selfRole({ orgId: organizationId })).toEqual({ role: 'owner' });
  expect(await owner.organization.selfRole({ orgId: organizationId })).toEqual({ role: 'admin' });
  await owner.organization.leave({ id: organizationId });
  await expect(owner.organization.get({ id: organizationId })).rejects.toMatchObject({ status: 404 });
});

test('of two concurrent transfers one happens', async () => {
  const [one, two] = [await joinAs('viewer'), await joinAs('viewer')];
  const outcomes = await Promise.allSettled(
    [one, two].map(({ memberId }) => owner.organization.transfer({ id: organizationId, memberId })),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const { members } = await owner.member.list({ orgId: organizationId });
  expect(members.filter(({ role }) => role === 'owner')).toHaveLength(1);
});
