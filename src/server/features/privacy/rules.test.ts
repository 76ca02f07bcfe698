import { afterAll, beforeAll, expect, test } from 'vitest';
import { join } from '../../../../test/join.ts';
import { eventually } from '../../../../test/payments.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { newId } from '../../id.ts';

let product: Product;
let owner: TestClient;
let organizationId: string;
let agentId: string;
let otherId: string;
beforeAll(async () => {
  product = await startProduct();
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
  const make = async (name: string) => (await owner.chatbot.create({ organizationId, name })).chatbot.id;
  [agentId, otherId] = [await make('Helper'), await make('Other')];
});
afterAll(() => product.close());

const erase = { confirmation: 'erase' } as const;
const done = (token: string) =>
  eventually(async () => {
    const { erasure } = await product.as('nobody', 'anonymous').privacy.getErasure({ token });
    return erasure.state === 'done' && erasure;
  });

test('the last owner of an organization stays until there is another, and loses nothing', async () => {
  await expect(owner.privacy.erase(erase)).rejects.toMatchObject({
    status: 409,
    code: 'member/last-owner',
    message: expect.stringContaining('Acme') as string,
  });
  expect((await owner.chatbot.list({ organizationId })).chatbots).toHaveLength(2);
});

test("a member who is erased loses membership, their work stays as nobody's, and the audit log says so", async () => {
  const editor = await join(product, owner, 'leaver', { organizationId, role: 'editor' });
  const made = (await editor.client.chatbot.create({ organizationId, name: 'Made' })).chatbot.id;
  const { erasure } = await editor.client.privacy.erase(erase);
  const { kept } = await done(erasure.token);
  expect(kept.work).toBeGreaterThan(0);
  expect(kept.auditEntries).toBeGreaterThan(0);
  const { members } = await owner.member.list({ orgId: organizationId });
  expect(members.map(({ name }) => name)).not.toContain('leaver');
  expect((await owner.chatbot.get({ id: made, organizationId })).chatbot.name).toBe('Made');
  expect((await owner.version.list({ id: made, organizationId })).versions).toHaveLength(1);
  const { entries } = await owner.audit.list({ organizationId, action: 'chatbot.create' });
  expect(entries[0]).toMatchObject({ actorId: null, actorName: 'Erased', address: '' });
});

test('a member erases what one agent has of a person; the person and their data elsewhere stay', async () => {
  const guest = product.as('known twice', 'guest');
  const { user } = await product.sessionOf('known twice', 'guest');
  const [here, there] = await Promise.all(
    [agentId, otherId].map(
      async (chatbotId) => (await guest.chat.create({ chatbotId, text: 'Hello' })).conversation.id,
    ),
  );
  const viewer = await join(product, owner, 'viewer', { organizationId, role: 'viewer' });
  const which = { id: agentId, userId: user.uid, ...erase };
  await expect(viewer.client.privacy.eraseEndUser(which)).rejects.toMatchObject({ status: 403 });
  const none = { ...which, userId: newId('user') };
  await expect(owner.privacy.eraseEndUser(none)).rejects.toMatchObject({ status: 404 });

  // Two concurrent requests count as one.
  const asked = await Promise.all([owner.privacy.eraseEndUser(which), owner.privacy.eraseEndUser(which)]);
  const { erased, scope } = await done(asked[0].erasure.token);
  expect({ erased, scope }).toMatchObject({ scope: 'agent', erased: { conversations: 1, signIns: 0 } });
  const listed = (await guest.chat.list()).conversations.map(({ id }) => id);
  expect(listed).toContain(there);
  expect(listed).not.toContain(here);
});

test('nobody erases by accident, and a receipt is shown only to those it was given to', async () => {
  const guest = product.as('careful', 'guest');
  await expect(guest.privacy.erase({ confirmation: 'Erase' as 'erase' })).rejects.toMatchObject({
    status: 400,
  });
  const { erasure } = await guest.privacy.erase(erase);
  for (const token of [erasure.id, `${erasure.id}.`, `${erasure.id}.AAAA`, `${erasure.token}x`, 'x'])
    await expect(product.as('eve').privacy.getErasure({ token })).rejects.toMatchObject({ status: 404 });
  expect(Object.keys(await done(erasure.token))).not.toContain('personId');
});
