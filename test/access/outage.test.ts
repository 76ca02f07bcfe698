import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { administer } from '../database-server.ts';
import { startProduct, type Product } from '../product.ts';
import { createWorld, type World } from './world.ts';

/** If permissions can't be checked, nobody has any: security case B14. */

let product: Product;
let world: World;
beforeAll(async () => {
  product = await startProduct();
  world = await createWorld(product);
});
afterAll(() => product.close());

test('without the database every call is a 503 with Retry-After, nothing is let through, and service recovers by itself', async () => {
  const name = /\/\/[^/]*\/([^?]+)/.exec(product.databaseUrl)?.[1] ?? '';
  const { idToken } = await product.sessionOf('owner');
  const ask = (path: string): Promise<Response> =>
    fetch(product.url + path, { headers: { authorization: `Bearer ${idToken}` } });
  const paths = [
    `/v1/chatbot?organizationId=${world.organizationId}`,
    `/v1/platform/organization`,
    `/v1/platform/member/organization/${world.organizationId}`,
    `/v1/chat`,
  ];
  await administer(inject('databaseUrl'), `alter database ${name} with allow_connections false`);
  await administer(
    inject('databaseUrl'),
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );
  for (const path of paths) {
    const response = await ask(path);
    expect([path, response.status]).toEqual([path, 503]);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await response.text()).not.toMatch(/select|pg_|database "/i);
  }
  await administer(inject('databaseUrl'), `alter database ${name} with allow_connections true`);
  await expect.poll(async () => (await ask(paths[0] ?? '')).status).toBe(200);
});
