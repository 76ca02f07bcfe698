import { get } from 'node:http';
import { createHmac } from 'node:crypto';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startProduct, type Product } from '../../../test/product.ts';
import type { Session } from '../../contract/identity.ts';
import { createSigningKeys } from './keys.ts';
import { openVault } from './secrets.ts';

let product: Product;
let session: Session;
beforeAll(async () => {
  product = await startProduct();
  session = await product.sessionOf('bearer', 'guest');
});
afterAll(() => product.close());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Advances the monotonic clock by this much. */
function passTime(ms: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);
}

async function statusWith(token: string): Promise<number> {
  const response = await fetch(`${product.url}/v1/user/${session.user.uid}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return response.status;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const partsOf = () => session.idToken.split('.') as [string, string, string];
const claimsOf = () => JSON.parse(Buffer.from(partsOf()[1], 'base64url').toString()) as JWTPayload;
const keys = () => product.app.deps.identity.keys;

/** Signed with the product's real key. */
async function sign(changes: JWTPayload, header: object = {}): Promise<string> {
  const { kid, privateKey } = await keys().current();
  return new SignJWT({ ...claimsOf(), ...changes })
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT', ...header })
    .sign(privateKey);
}

test('the token as issued, and an equivalent one, are accepted', async () => {
  expect(await statusWith(session.idToken)).toBe(200);
  expect(await statusWith(await sign({}))).toBe(200);
});

test.each(['none', 'None', 'NONE', 'nOnE'])('the algorithm %s is refused', async (alg) => {
  const [, payload, signature] = partsOf();
  const { kid } = await keys().current();
  expect(await statusWith(`${encode({ alg, kid, typ: 'JWT' })}.${payload}.`)).toBe(401);
  expect(await statusWith(`${encode({ alg, kid, typ: 'JWT' })}.${payload}.${signature}`)).toBe(401);
});

test('the public key is not accepted as the secret of a symmetric signature', async () => {
  const [, payload] = partsOf();
  const { kid } = await keys().current();
  const publicKey = await keys().verifier(kid);
  if (!publicKey) throw new Error('There is no key.');
  const head = `${encode({ alg: 'HS256', kid, typ: 'JWT' })}.${payload}`;
  for (const secret of [await exportSPKI(publicKey), JSON.stringify(await exportJWK(publicKey)), kid, '']) {
    expect(await statusWith(`${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`)).toBe(
      401,
    );
  }
});

test('a zero signature and a missing one are refused', async () => {
  const [header, payload] = partsOf();
  expect(await statusWith(`${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`)).toBe(401);
  expect(await statusWith(`${header}.${payload}.`)).toBe(401);
  expect(await statusWith(`${header}.${payload}`)).toBe(401);
});

test('a key embedded in the token or referenced by it is not used', async () => {
  const { kid } = await keys().current();
  const theirs = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(theirs.publicKey);
  const headers = [
    { jwk },
    { kid, jwk },
    { jku: `${product.url}/.well-known/jwks.json`, kid: 'theirs' },
    { kid, x5u: 'https://evil.example/key' },
    { kid, x5c: ['AAAA'] },
    { kid },
  ];
  for (const header of headers) {
    const forged = await new SignJWT(claimsOf())
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT', ...header })
      .sign(theirs.privateKey);
    expect(await statusWith(forged)).toBe(401);
  }
});

test.each(['../../dev/null', "x' or '1'='1", 'https://evil.example/key', '', 'a'.repeat(8_000)])(
  'the key id %.40s is rejected',
  async (kid) => expect(await statusWith(await sign({}, { kid }))).toBe(401),
);

test('a critical header extension cannot be ignored', async () => {
  const [, payload, signature] = partsOf();
  const { kid } = await keys().current();
  const header = encode({ alg: 'ES256', kid, typ: 'JWT', crit: ['new'], new: true });
  expect(await statusWith(`${header}.${payload}.${signature}`)).toBe(401);
});

test('an overlong token is refused before it is parsed', async () => {
  // On its own connection: the server closes it before it has read all of that.
  const status = await new Promise<number | undefined>((resolve) => {
    const headers = { authorization: `Bearer ${'a'.repeat(1_000_000)}` };
    get(`${product.url}/v1/user/${session.user.uid}`, { agent: false, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', () => resolve(undefined));
  });
  expect([401, 431, undefined]).toContain(status);
});

const MINUTE = 60;
const DAY = 86_400;
test.each<[string, number, (now: number) => JWTPayload]>([
  ['expired ten minutes ago', 401, (now) => ({ iat: now - 70 * MINUTE, exp: now - 10 * MINUTE })],
  ['expired a day ago', 401, (now) => ({ iat: now - DAY - 3600, exp: now - DAY })],
  ['expired, and issued now', 401, (now) => ({ iat: now, exp: now - 10 * MINUTE })],
  ['issued ten minutes from now', 401, (now) => ({ iat: now + 10 * MINUTE, exp: now + 70 * MINUTE })],
  ['issued tomorrow', 401, (now) => ({ iat: now + DAY, exp: now + DAY + 3600 })],
  ['issued yesterday to live for ever', 401, (now) => ({ iat: now - DAY, exp: now + 365 * DAY })],
  ['not valid before ten minutes from now', 401, (now) => ({ nbf: now + 10 * MINUTE })],
  ['without an end', 401, () => ({ exp: undefined as unknown as number })],
  ['without a beginning', 401, () => ({ iat: undefined as unknown as number })],
  ['a few seconds ahead of our clock', 200, (now) => ({ iat: now + 5, exp: now + 3605 })],
  ['half an hour old', 200, (now) => ({ iat: now - 30 * MINUTE, exp: now + 30 * MINUTE })],
])('a token %s gets %i', async (_what, status, changes) => {
  expect(await statusWith(await sign(changes(Math.floor(Date.now() / 1000))))).toBe(status);
});

test.each<[string, JWTPayload, object]>([
  ['for another audience', { aud: 'parley:share' }, {}],
  ['for two audiences of others', { aud: ['a', 'b'] }, {}],
  ['of another issuer', { iss: 'https://elsewhere.example' }, {}],
  ['of another type', {}, { typ: 'share+jwt' }],
  ['of no type', {}, { typ: undefined }],
  ['without a session', { sid: undefined }, {}],
  ['of a session that does not exist', { sid: 'ses_00000000000000000000000000' }, {}],
  ['without a person', { sub: undefined as unknown as string }, {}],
])('a token %s is refused despite a valid signature', async (_what, changes, header) => {
  expect(await statusWith(await sign(changes, header))).toBe(401);
});

test('a token of another installation is refused', async () => {
  const other = await startProduct();
  const theirs = await other.sessionOf('bearer', 'guest');
  expect(await statusWith(theirs.idToken)).toBe(401);
  await other.close();
});

test('during a rotation tokens of both keys are accepted, and a removed key is rejected within a minute', async () => {
  const old = await sign({});
  const { kid } = await keys().current();
  await keys().rotate();
  expect((await keys().current()).kid).not.toBe(kid);
  expect([await statusWith(old), await statusWith(await sign({}))]).toEqual([200, 200]);
  await product.app.deps.db.owner.query('delete from signing_key where id = $1', [kid]);
  passTime(31_000);
  expect([await statusWith(old), await statusWith(await sign({}))]).toEqual([401, 200]);
});

test('a key just created by another process is known at once', async () => {
  const other = await startSecond();
  await other.rotate();
  const { kid, privateKey } = await other.current();
  const token = await new SignJWT(claimsOf())
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
    .sign(privateKey);
  passTime(40_000);
  expect(await statusWith(token)).toBe(200);
});

test('a session ended elsewhere is refused within moments, even after the clock is set back', async () => {
  const [ended, open] = [await product.sessionOf('ended', 'guest'), await product.sessionOf('open', 'guest')];
  const statusOf = async ({ idToken, user }: Session): Promise<number> =>
    (await fetch(`${product.url}/v1/user/${user.uid}`, { headers: { authorization: `Bearer ${idToken}` } }))
      .status;
  expect([await statusOf(ended), await statusOf(open)]).toEqual([200, 200]);
  const { owner } = product.app.deps.db;
  await owner.query('update session set revoked_at = now() where user_id = $1', [ended.user.uid]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 26 * 3_600_000 });
  passTime(4000);
  expect([await statusOf(ended), await statusOf(open)]).toEqual([401, 200]);
});

test('a key from another process is known even if the clock is set back after keys were read', async () => {
  await keys().current();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 26 * 3_600_000 });
  const other = await startSecond();
  await other.rotate();
  const { kid } = await other.current();
  passTime(90_000);
  expect(await keys().verifier(kid)).toBeDefined();
});

async function startSecond() {
  return createSigningKeys(product.app.deps.db, await openVault(product.app.deps.config));
}
