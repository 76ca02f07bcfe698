import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiError } from '../../src/contract/client.ts';
import { contract } from '../../src/contract/index.ts';
import { newId } from '../../src/server/id.ts';
import { idPrefixes } from '../../src/contract/id-format.ts';
import { startProduct, type Product, type TestClient } from '../product.ts';
import type { Row } from './expected.ts';
import { matrix } from './matrix.ts';
import { callers, createWorld, type CallerKind, type World } from './world.ts';

let product: Product;
let world: World;

beforeAll(async () => {
  product = await startProduct();
  world = await createWorld(product);
});
afterAll(() => product.close());

/** The status of one cell; 0 without a response. */
async function statusOf(client: TestClient, name: string, input: Record<string, unknown>): Promise<number> {
  const [area = '', call = ''] = name.split('.');
  const calls = client as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>;
  try {
    await calls[area]?.[call]?.(input);
    return 200;
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
}

test('the matrix lists every call of the contract and no others', () => {
  const calls = Object.entries(contract).flatMap(([area, routes]) =>
    Object.keys(routes).map((name) => `${area}.${name}`),
  );
  expect(Object.keys(matrix).toSorted()).toEqual(calls.toSorted());
});

describe.each(Object.entries(matrix))('%s', (name, row: Row) => {
  test.each(callers)('by %s', async (caller: CallerKind) => {
    const client = row.as?.(world, caller) ?? world.as(caller);
    expect(await statusOf(client, name, row.input(world, caller))).toBe(row.expect[caller]);
  });
});

describe('another person’s id is answered like one that does not exist', () => {
  const mine = Object.entries(matrix).filter(
    ([name]) => name.startsWith('chat.') && name !== 'chat.create' && name !== 'chat.list',
  );

  test.each(mine)('%s on another person’s conversation', async (name, row: Row) => {
    const foreign = { ...row.input(world, 'viewer'), id: world.conversationOf.guest };
    const missing = { ...row.input(world, 'viewer'), id: newId('conversation') };
    expect(await statusOf(world.as('viewer'), name, foreign)).toBe(404);
    expect(await statusOf(world.as('viewer'), name, missing)).toBe(404);
  });

  test('the owner of an organization cannot read an end user’s conversation through the chat calls', async () => {
    expect(await statusOf(world.as('owner'), 'chat.get', { id: world.conversationOf.guest })).toBe(404);
  });

  test('an item of one agent is not found under another', async () => {
    const { chatbot } = await world
      .as('owner')
      .chatbot.create({ organizationId: world.organizationId, name: 'Second' });
    expect(
      await statusOf(world.as('owner'), 'knowledge.get', { id: chatbot.id, knowledgeId: world.knowledgeId }),
    ).toBe(404);
  });

  test('naming another organization in the body grants nothing', async () => {
    const { organizations } = await world.as('outsider').organization.list();
    const foreign = { id: world.agentId, organizationId: organizations[0]?.id, name: 'Taken over' };
    expect(await statusOf(world.as('outsider'), 'chatbot.update', foreign)).toBe(404);
    expect(
      await statusOf(world.as('outsider'), 'chatbot.remove', {
        id: world.agentId,
        organizationId: organizations[0]?.id,
      }),
    ).toBe(404);
  });
});

test.each(Object.entries(idPrefixes))('a new %s id has its kind’s prefix', (kind, prefix) => {
  expect(newId(kind as keyof typeof idPrefixes)).toMatch(new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`));
});
