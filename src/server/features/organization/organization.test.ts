import { afterAll, beforeAll, expect, test } from 'vitest';
import { join } from '../../../../test/join.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';

let product: Product;
let owner: TestClient;
beforeAll(async () => {
  product = await startProduct();
  owner = product.as('owner');
});
afterAll(() => product.close());

test('an update changes only the given fields', async () => {
  const { organization } = await owner.organization.create({ name: 'Acme' });
  const { id } = organization;
  const renamed = await owner.organization.updateProfile({ id, name: 'Acme Ltd' });
  expect(renamed.organization).toEqual({ ...organization, name: 'Acme Ltd' });
  expect((await owner.organization.updateProfile({ id })).organization).toEqual(renamed.organization);
});

test('a person belongs to several organizations, with a role in each', async () => {
  const first = (await owner.organization.create({ name: 'First' })).organization.id;
  const person = await join(product, owner, 'wanderer', { organizationId: first, role: 'viewer' });
  const second = (await person.client.organization.create({ name: 'Second' })).organization.id;
  const { organizations } = await person.client.organization.list();
  expect(organizations.map(({ name }) => name)).toEqual(['First', 'Second']);
  expect(await person.client.organization.selfRole({ orgId: first })).toEqual({ role: 'viewer' });
  expect(await person.client.organization.selfRole({ orgId: second })).toEqual({ role: 'owner' });
});

test('a member who leaves is out at once, and can be invited again', async () => {
  const id = (await owner.organization.create({ name: 'Acme' })).organization.id;
  const person = await join(product, owner, 'leaver', { organizationId: id, role: 'admin' });
  expect(await person.client.organization.leave({ id })).toEqual({ left: true });
  await expect(person.client.organization.get({ id })).rejects.toMatchObject({ status: 404 });
  await expect(person.client.organization.leave({ id })).rejects.toMatchObject({ status: 404 });
  await expect(
    owner.member.invite({ organizationId: id, email: person.email, role: 'viewer' }),
  ).resolves.toBeTruthy();
});

test('ownership goes to another member of this organization', async () => {
  const id = (await owner.organization.create({ name: 'Acme' })).organization.id;
  const other = (await owner.organization.create({ name: 'Other' })).organization.id;
  const ownerOf = async (orgId: string) => (await owner.member.list({ orgId })).members[0]?.id ?? '';
  await expect(owner.organization.transfer({ id, memberId: await ownerOf(other) })).rejects.toMatchObject({
    status: 404,
  });
  await expect(owner.organization.transfer({ id, memberId: await ownerOf(id) })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'memberId' }],
  });
});
