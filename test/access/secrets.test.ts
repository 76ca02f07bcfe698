import type { Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../product.ts';
import { openSocket, outcomeOf } from '../sockets.ts';
import { INSTRUCTIONS_CANARY, keptSecrets, plantCanaries, PROVIDER_CANARY } from './canaries.ts';
import type { Row } from './expected.ts';
import { matrix } from './matrix.ts';
import { callers, createWorld, persons, type CallerKind, type World } from './world.ts';

/** Every call by every kind of caller, with all secrets set to values that are recognizable anywhere. */

const insiders: CallerKind[] = ['owner', 'admin', 'editor', 'viewer', 'readKey', 'writeKey'];
/** Callers who set up a webhook see its signing secret. */
const shown = ['owner', 'admin', 'editor', 'writeKey'].map((caller) => `webhook.secret to ${caller}`);

let product: Product;
let world: World;
let secrets: string[];
const logged: string[] = [];
const frames: string[] = [];
const answers: { name: string; caller: CallerKind; body: string }[] = [];
let at: { name: string; caller: CallerKind } | undefined;
const sockets: Socket[] = [];
const { fetch } = globalThis;

beforeAll(async () => {
  const openai = { apiKey: PROVIDER_CANARY, baseUrl: 'http://127.0.0.1:9/v1', model: 'stand-in' };
  product = await startProduct({ logLevel: 'debug', providers: { openai } }, { logged });
  world = await createWorld(product);
  secrets = [PROVIDER_CANARY, ...(await makeSecrets())];
  for (const kind of ['owner', 'guest'] as const) {
    const { idToken } = await product.sessionOf(kind, kind === 'owner' ? 'member' : 'guest');
    const socket = openSocket(product, { token: idToken }, { 'id-token': idToken });
    expect(await outcomeOf(socket)).toBe('connected');
    socket.onAny((...said: unknown[]) => void frames.push(JSON.stringify(said)));
    sockets.push(socket);
  }
  await makeEveryCall();
}, 240_000);
afterAll(async () => {
  globalThis.fetch = fetch;
  for (const socket of sockets) socket.close();
  await product.close();
});

/** Secrets the product creates are collected where they are shown once, and their hashes where they are stored. */
async function makeSecrets(): Promise<string[]> {
  const planted = await plantCanaries(world.as('owner'), world);
  const { columns, values } = await keptSecrets(product);
  expect(columns).toBeGreaterThan(12);
  return [...planted, ...values];
}

async function makeEveryCall(): Promise<void> {
  globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (at) answers.push({ ...at, body: await response.clone().text() });
    return response;
  };
  for (const [name, row] of Object.entries<Row>(matrix)) {
    const [area = '', call = ''] = name.split('.');
    for (const caller of callers) {
      const client = (row.as?.(world, caller) ?? world.as(caller)) as unknown as Record<
        string,
        Record<string, (input: unknown) => Promise<unknown>>
      >;
      const input = row.input(world, caller);
      at = { name, caller };
      await client[area]?.[call]?.(input).catch(() => undefined);
      at = undefined;
    }
  }
  globalThis.fetch = fetch;
}

const tellers = (text: string) =>
  answers.filter(({ body }) => body.includes(text)).map(({ name, caller }) => `${name} to ${caller}`);

test('no response contains a key, a secret, a token of somebody or a hash of one', () => {
  expect(answers.length).toBeGreaterThan(2000);
  expect(secrets.length).toBeGreaterThan(30);
  const told = secrets.flatMap((secret) => tellers(secret)).filter((each) => !shown.includes(each));
  expect([...new Set(told)]).toEqual([]);
});

test('only members and keys of the organization can read instructions', () => {
  const readers = new Set(
    answers.filter(({ body }) => body.includes(INSTRUCTIONS_CANARY)).map(({ caller }) => caller),
  );
  expect([...readers].toSorted()).toEqual(insiders.toSorted());
});

test('nobody outside learns a member’s address', () => {
  const outside = callers.filter((caller) => !insiders.includes(caller));
  const told = answers.filter(
    ({ caller, body }) =>
      outside.includes(caller) && /(viewer|editor|admin|friend-of-owner)@example\.com/.test(body),
  );
  expect(told.map(({ name, caller }) => `${name} to ${caller}`)).toEqual([]);
});

test('no log line or socket frame contains one of these, nor who may sign in', async () => {
  const tokens = await Promise.all(
    persons
      .filter((kind) => kind === 'owner' || kind === 'guest')
      .map(async (kind) => (await product.sessionOf(kind, kind === 'owner' ? 'member' : 'guest')).idToken),
  );
  expect(logged.length).toBeGreaterThan(100);
  for (const never of [...secrets, ...tokens, INSTRUCTIONS_CANARY]) {
    expect(logged.filter((line) => line.includes(never))).toEqual([]);
    expect(frames.filter((frame) => frame.includes(never))).toEqual([]);
  }
});
