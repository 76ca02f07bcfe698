import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiError, send } from '../../src/contract/client.ts';
import { idPrefixes, type IdKind } from '../../src/contract/id-format.ts';
import type { Route } from '../../src/contract/route.ts';
import { newId } from '../../src/server/id.ts';
import { startProduct, type Product } from '../product.ts';
import { calls, hashRows, idFieldsOf, type IdField } from './calls.ts';
import { matrix } from './matrix.ts';
import { createWorld, type World } from './world.ts';

let product: Product;
let world: World;
beforeAll(async () => {
  product = await startProduct();
  world = await createWorld(product);
});
afterAll(() => product.close());

/** Fields that only filter what is visible anyway. */
const filters = [
  'audit.list actorId',
  'audit.export actorId',
  // The people of the other organization have talked with this agent as well.
  'endUser.get userId',
  'endUser.listConversations userId',
  'privacy.eraseEndUser userId',
  'endUser.listConversations topicId',
  'endUser.listConversations productId',
  'insight.getUser userId',
];

const swaps = calls
  .flatMap(([name, route]) =>
    idFieldsOf(route).map((field): [string, Route, IdField] => [name, route, field]),
  )
  .filter(([name, , { field }]) => !filters.includes(`${name} ${field}`));

function foreignId(prefix: string): string {
  const id = Object.values(world.foreign).find((value: string) => value.startsWith(`${prefix}_`)) as
    | string
    | undefined;
  if (!id) throw new Error(`The other organization has nothing with an id of the kind ${prefix}.`);
  return id;
}

function unknownId(prefix: string): string {
  const kinds = Object.keys(idPrefixes) as IdKind[];
  return newId(kinds.find((kind) => idPrefixes[kind] === prefix) ?? 'agent');
}

let address = 0;

/** The problem the owner gets with this one field changed. */
async function problemOf(name: string, route: Route, { field, isList }: IdField, id: string) {
  address += 1;
  const input = { ...matrix[name as keyof typeof matrix].input(world, 'owner'), [field]: isList ? [id] : id };
  const { idToken } = await product.sessionOf('owner');
  const headers = { 'x-forwarded-for': `10.66.${address >> 8}.${address & 255}` };
  try {
    await send(route, input, { baseUrl: product.url, token: () => idToken }, { headers });
    return { status: 200 };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, code, message, errors } = error;
    return { status, code, message, errors };
  }
}

describe('another organization’s id is answered like one that does not exist, and changes nothing', () => {
  test.each(swaps.map(([name, route, field]) => ({ name, route, field, of: field.field })))(
    '$name: $of',
    async ({ name, route, field }) => {
      const before = await hashRows(product);
      const foreign = await problemOf(name, route, field, foreignId(field.prefix));
      expect(foreign).toMatchObject({ status: 404, code: 'resource/not-found' });
      expect(await problemOf(name, route, field, unknownId(field.prefix))).toEqual(foreign);
      expect(await hashRows(product)).toEqual(before);
    },
  );
});

test('response time does not distinguish a foreign id from an unknown one', async () => {
  const { idToken } = await product.sessionOf('owner');
  const times = { foreign: [] as number[], unknown: [] as number[] };
  const ask = async (id: string): Promise<number> => {
    const started = performance.now();
    const response = await fetch(`${product.url}/v1/chatbot/${id}/knowledge`, {
      headers: { authorization: `Bearer ${idToken}` },
    });
    await response.text();
    expect(response.status).toBe(404);
    return performance.now() - started;
  };
  for (let attempt = 0; attempt < 200; attempt += 1) {
    times.foreign.push(await ask(world.foreign.agentId));
    times.unknown.push(await ask(newId('agent')));
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length / 2] ?? 0;
  expect(Math.abs(median(times.foreign) - median(times.unknown))).toBeLessThan(5);
});

test('the swaps cover every kind of object', () => {
  expect(swaps.length).toBeGreaterThan(60);
  const kinds = new Set(swaps.map(([, , { prefix }]) => prefix));
  expect([...kinds].toSorted()).toEqual([
    'agt',
    'att',
    'can',
    'cnv',
    'exp',
    'fil',
    'imp',
    'inv',
    'isl',
    'key',
    'knw',
    'led',
    'mem',
    'msg',
    'org',
    'plg',
    'prd',
    'pur',
    'qcl',
    'run',
    'shr',
    'src',
    'stf',
    'tac',
    'tcl',
    'tem',
    'tol',
    'top',
    'tst',
    'upl',
    'usr',
    'whd',
  ]);
});
