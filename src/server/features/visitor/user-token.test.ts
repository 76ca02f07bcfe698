import { createHmac, generateKeyPairSync } from 'node:crypto';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { bearing, visit } from '../../../../test/visit.ts';

let product: Product;
let owner: TestClient;
let organizationId: string;
const site = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicPem = site.publicKey.export({ type: 'spki', format: 'pem' }) as string;

beforeAll(async () => {
  product = await startProduct();
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(() => product.close());

async function makeAgent(): Promise<string> {
  return (await owner.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
}

async function makeEmbedded(): Promise<{ id: string; secret: string }> {
  const id = await makeAgent();
  const { secret, access } = await owner.visitor.rotateEmbedSecret({ id });
  expect(access.algorithm).toBe('HS256');
  return { id, secret };
}

const bytes = (secret: string) => new TextEncoder().encode(secret);
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

/** A user token as a site would sign it. */
function sign(secret: string, claims: Record<string, unknown> = {}, alg = 'HS256'): Promise<string> {
  const payload = { sub: 'customer-1', exp: inSeconds(600), ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg }).sign(bytes(secret));
}

const refused = { status: 401, code: 'visitor/user-token-refused' };

test('a user token’s subject is the same visitor in every browser, with the same conversations', async () => {
  const { id, secret } = await makeEmbedded();
  const laptop = await visit(product, id, { userToken: await sign(secret, { name: 'Ada' }) });
  const { conversation } = await bearing(product, laptop.token).chat.create({ chatbotId: id });
  const phone = await visit(product, id, { userToken: await sign(secret) });
  expect(phone.visitorId).toBe(laptop.visitorId);
  // Only the site's own token brings them back: they may have signed out there.
  expect([laptop.refreshToken, phone.refreshToken]).toEqual([null, null]);
  const { conversations } = await bearing(product, phone.token).chat.list();
  expect(conversations.map((own) => own.id)).toEqual([conversation.id]);
  const other = await visit(product, id, { userToken: await sign(secret, { sub: 'customer-2' }) });
  expect((await bearing(product, other.token).chat.list()).conversations).toEqual([]);
  const { rows } = await product.app.deps.db.owner.query('select name from "user" where id = $1', [
    decodeJwt(laptop.token).sub,
  ]);
  expect(rows).toEqual([{ name: 'Ada' }]);
});

test('a user token cannot impersonate a person of a channel and read their conversation', async () => {
  const { id, secret } = await makeEmbedded();
  const settingsData = { address: 'help@shop.example', name: 'The shop' };
  const { plugin } = await owner.plugin.create({
    chatbotId: id,
    type: 'email',
    settingsData,
    credentials: {},
  });
  const sub = `${plugin.id} ada@example.com`;
  await expect(visit(product, id, { userToken: await sign(secret, { sub }) })).rejects.toMatchObject(refused);
  await visit(product, id, { userToken: await sign(secret, { sub: 'Ada Lovelace' }) });
});

test('concurrent first visits of one person create one visitor', async () => {
  const { id, secret } = await makeEmbedded();
  const userToken = await sign(secret);
  const visits = await Promise.all(Array.from({ length: 8 }, () => visit(product, id, { userToken })));
  expect(new Set(visits.map(({ visitorId }) => visitorId)).size).toBe(1);
});

test('the same subject at another agent is somebody else, and the secret signs nothing there', async () => {
  const [one, two] = [await makeEmbedded(), await makeEmbedded()];
  const first = await visit(product, one.id, { userToken: await sign(one.secret) });
  const second = await visit(product, two.id, { userToken: await sign(two.secret) });
  expect(second.visitorId).not.toBe(first.visitorId);
  const crossed = visit(product, two.id, { userToken: await sign(one.secret) });
  await expect(crossed).rejects.toMatchObject(refused);
});

test.each<[string, Record<string, unknown>]>([
  ['has expired', { exp: inSeconds(-60) }],
  ['ends in more than a day', { exp: inSeconds(25 * 3600) }],
  ['never ends', { exp: undefined }],
  ['is not valid yet', { nbf: inSeconds(300) }],
  ['names nobody', { sub: undefined }],
  ['names nobody, in a way', { sub: '' }],
  ['names somebody at great length', { sub: 'x'.repeat(256) }],
  ['names somebody the database cannot hold', { sub: 'a\u0000b' }],
  ['was made for something else', { aud: 'https://api.shop.example' }],
])('a user token that %s is refused', async (_why, claims) => {
  const { id, secret } = await makeEmbedded();
  const userToken = await sign(secret, claims);
  await expect(visit(product, id, { userToken })).rejects.toMatchObject(refused);
});

test('a token for this agent is accepted, and a name that cannot be shown is dropped', async () => {
  const { id, secret } = await makeEmbedded();
  await visit(product, id, { userToken: await sign(secret, { aud: id }) });
  await visit(product, id, { userToken: await sign(secret, { aud: ['x', id], name: 'x'.repeat(81) }) });
});

test('the agent determines the algorithm, never the token', async () => {
  const { id, secret } = await makeEmbedded();
  const claims = { sub: 'customer-1', exp: inSeconds(600) };
  const none = new UnsecuredJWT(claims).encode();
  const byKey = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(site.privateKey);
  for (const userToken of [none, byKey, await sign(secret, {}, 'HS512'), 'x', 'a.b.c', ''.padEnd(4096, 'x')])
    await expect(visit(product, id, { userToken })).rejects.toMatchObject(refused);

  const { access } = await owner.visitor.setEmbedKey({ id, publicKey: publicPem });
  expect(access).toMatchObject({ algorithm: 'RS256', publicKey: publicPem });
  expect((await visit(product, id, { userToken: byKey })).visitorId).toBeTruthy();
  // The public key is known to everybody: used as a secret, it must not validate anything.
  for (const key of [publicPem, publicPem.trim()]) {
    const [header, body] = (await sign('x'.repeat(32))).split('.');
    const signature = createHmac('sha256', key).update(`${header}.${body}`).digest('base64url');
    const confused = visit(product, id, { userToken: `${header}.${body}.${signature}` });
    await expect(confused).rejects.toMatchObject(refused);
  }
  await expect(visit(product, id, { userToken: await sign(secret) })).rejects.toMatchObject(refused);
});

test('a new secret invalidates earlier signatures, and without a secret no visitor is verified', async () => {
  const { id, secret } = await makeEmbedded();
  const next = (await owner.visitor.rotateEmbedSecret({ id })).secret;
  const come = async (by: string) => visit(product, id, { userToken: await sign(by) });
  await expect(come(secret)).rejects.toMatchObject(refused);
  await come(next);
  const { access } = await owner.visitor.setEmbedKey({ id, publicKey: null });
  expect(access).toMatchObject({ algorithm: null, publicKey: null });
  await expect(come(next)).rejects.toMatchObject(refused);
  await expect(visit(product, await makeAgent(), { userToken: await sign(next) })).rejects.toMatchObject(
    refused,
  );
});

test('only a public RSA key of sufficient length is accepted', async () => {
  const id = await makeAgent();
  const pem = (type: 'rsa' | 'ec', bits = 2048) =>
    (type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: bits })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
    ).publicKey.export({ type: 'spki', format: 'pem' }) as string;
  const privatePem = site.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  for (const publicKey of ['x', privatePem, pem('rsa', 1024), pem('ec'), publicPem.slice(0, 200)])
    await expect(owner.visitor.setEmbedKey({ id, publicKey })).rejects.toMatchObject({
      status: 400,
      errors: [{ path: 'publicKey' }],
    });
});

test('the secret is shown once, is not stored in plain text, and is useless in another row', async () => {
  const [one, two] = [await makeEmbedded(), await makeEmbedded()];
  const { owner: database } = product.app.deps.db;
  const { rows } = await database.query<{ row: string }>(
    'select row::text from agent_access row union all select row::text from idempotency_key row',
  );
  for (const { secret } of [one, two]) {
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(JSON.stringify(await owner.visitor.getAccess({ id: one.id }))).not.toContain(secret);
  }
  await database.query(
    `update agent_access set embed_secret = (select embed_secret from agent_access where agent_id = $1)
      where agent_id = $2`,
    [one.id, two.id],
  );
  await visit(product, one.id, { userToken: await sign(one.secret) });
  for (const secret of [one.secret, two.secret])
    await expect(visit(product, two.id, { userToken: await sign(secret) })).rejects.toMatchObject({
      status: 500,
      code: 'server/error',
    });
});
