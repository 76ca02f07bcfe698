import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiError, send } from '../../src/contract/client.ts';
import type { Route } from '../../src/contract/route.ts';
import { startProduct, type Product } from '../product.ts';
import { calls, hashRows } from './calls.ts';
import { matrix } from './matrix.ts';
import { createWorld, type World } from './world.ts';

let product: Product;
let world: World;
beforeAll(async () => {
  product = await startProduct();
  world = await createWorld(product);
});
afterAll(() => product.close());

/** Fields somebody might try to set along with the permitted ones. */
const hostileFields: Record<string, unknown> = {
  id: 'agt_00000000000000000000000000',
  uid: 'usr_00000000000000000000000000',
  organizationId: 'org_00000000000000000000000000',
  workspaceId: 'org_00000000000000000000000000',
  ownerId: 'usr_00000000000000000000000000',
  role: 'owner',
  roles: ['owner'],
  isMember: true,
  member: true,
  plan: 'STARTUP',
  planType: 'STARTUP',
  quota: 1_000_000,
  used: 0,
  credits: 1_000_000,
  apiKey: 'x',
  createdAt: '2020-01-01T00:00:00Z',
  updatedAt: '2020-01-01T00:00:00Z',
  deletedAt: null,
  emailVerified: true,
  stripeCustomerId: 'cus_1',
  stripeConnectCustomerId: 'acct_1',
  status: 'accepted',
  inviteToken: 'x',
  isPublic: true,
  isAdmin: true,
};

let address = 0;

async function statusOf(name: string, route: Route, change: (input: Record<string, unknown>) => object) {
  address += 1;
  const input = change(matrix[name as keyof typeof matrix].input(world, 'owner'));
  const { idToken } = await product.sessionOf('owner');
  const headers = { 'x-forwarded-for': `10.67.${address >> 8}.${address & 255}` };
  try {
    const options = { baseUrl: product.url, token: () => idToken };
    return (await send(route, input as Record<string, unknown>, options, { headers })).status;
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
}

describe('an unknown field in a write is a 400 and changes nothing', () => {
  const writes = calls.filter(([, { method }]) => method !== 'GET').map(([name, route]) => ({ name, route }));

  test.each(writes)('$name', async ({ name, route }) => {
    const before = await hashRows(product);
    for (const [field, value] of Object.entries(hostileFields)) {
      if (field in route.input.shape) continue;
      const given = value ?? 'null';
      expect([field, await statusOf(name, route, (input) => ({ ...input, [field]: given }))]).toEqual([
        field,
        400,
      ]);
    }
    expect(await hashRows(product)).toEqual(before);
  });

  test.each(writes.filter(({ route }) => route.carrier === 'body'))(
    '$name: __proto__',
    async ({ name, route }) => {
      const polluted = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}') as object;
      const status = await statusOf(name, route, (input) => {
        const own = Object.getOwnPropertyDescriptors(polluted);
        return Object.defineProperties({ ...input }, own);
      });
      expect(status).toBe(400);
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    },
  );
});

describe('an invalid organization is a 400, never all of them', () => {
  const inOrganization = calls
    .filter(([, { input, path }]) => 'organizationId' in input.shape && !path.includes('{organizationId}'))
    .map(([name, route]) => ({ name, route }));

  test.each(inOrganization)('$name', async ({ name, route }) => {
    const ids = [world.organizationId, world.foreign.organizationId];
    const odd: unknown[] = [
      '',
      null,
      undefined,
      ids,
      { $ne: '' },
      ids.join(),
      '*',
      '%',
      'null',
      0,
      true,
      ' ',
    ];
    for (const organizationId of odd) {
      const status = await statusOf(name, route, (input) => ({ ...input, organizationId }));
      expect([organizationId, status]).toEqual([organizationId, 400]);
    }
  });

  test.each(inOrganization.filter(({ route }) => route.method === 'GET'))(
    '$name, given twice',
    async ({ route }) => {
      const { idToken } = await product.sessionOf('owner');
      const twice = `organizationId=${world.organizationId}&organizationId=${world.foreign.organizationId}`;
      const url = `${product.url}${route.path.replace('{id}', world.agentId)}?${twice}`;
      const response = await fetch(url, { headers: { authorization: `Bearer ${idToken}` } });
      expect(response.status).toBe(400);
    },
  );
});
