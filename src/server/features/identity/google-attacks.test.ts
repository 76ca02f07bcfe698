import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Browser } from '../../../../test/browser.ts';
import { CLIENT, startMockProvider, type Person } from '../../../../test/stand-ins/openid-providers.ts';
import { startProduct, type Product } from '../../../../test/product.ts';

let provider: Awaited<ReturnType<typeof startMockProvider>>;
let product: Product;
beforeAll(async () => {
  provider = await startMockProvider();
  product = await startProduct({ google: { ...CLIENT, issuer: provider.issuer } });
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

const refused = { status: 400, code: 'auth/provider-refused' };
let people = 0;
function somebody(rest: Partial<Person> = {}): Person {
  people += 1;
  return { subject: `person-${people}`, email: `person-${people}@example.com`, ...rest };
}

/** Up to the page where the provider sends people back. */
async function comeBack(browser: Browser, person = somebody()) {
  const { url } = await browser.client.identity.startGoogle({});
  const back = await provider.visit(url, person);
  return { code: back.searchParams.get('code') ?? '', state: back.searchParams.get('state') ?? '' };
}

async function countUsers(): Promise<number> {
  const { rows } = await product.app.deps.db.owner.query<{ count: number }>(
    'select count(*)::int as count from "user"',
  );
  return rows[0]?.count ?? 0;
}

test('of fifty concurrent answers with one code one signs in', async () => {
  const browser = openBrowser(product);
  const answer = await comeBack(browser);
  const tries = await Promise.allSettled(
    Array.from({ length: 50 }, () => browser.client.identity.finishGoogle(answer)),
  );
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const failed of tries.filter((one) => one.status === 'rejected'))
    expect(failed.reason).toMatchObject(refused);
});

test('an answer works once, not in another browser, and never without a state of ours', async () => {
  const browser = openBrowser(product);
  const answer = await comeBack(browser);
  await expect(openBrowser(product).client.identity.finishGoogle(answer)).rejects.toMatchObject(refused);
  const other = openBrowser(product);
  await comeBack(other);
  await expect(other.client.identity.finishGoogle(answer)).rejects.toMatchObject(refused);
  await expect(browser.client.identity.finishGoogle({ ...answer, state: 'made-up' })).rejects.toMatchObject(
    refused,
  );
  await browser.client.identity.finishGoogle(answer);
  await expect(browser.client.identity.finishGoogle(answer)).rejects.toMatchObject(refused);
  const raw = await fetch(`${product.url}/v1/identity/google/finish`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.9.9.9' },
    body: JSON.stringify({ code: answer.code }),
  });
  expect(raw.status).toBe(400);
});

test('the code of one sign-in cannot complete another', async () => {
  const [mine, theirs] = [openBrowser(product), openBrowser(product)];
  const stolen = await comeBack(theirs);
  const { state } = await comeBack(mine);
  await expect(mine.client.identity.finishGoogle({ code: stolen.code, state })).rejects.toMatchObject(
    refused,
  );
});

test('a sign-in that took longer than ten minutes is over, and is cleaned up', async () => {
  const browser = openBrowser(product);
  const answer = await comeBack(browser);
  await product.app.deps.db.owner.query(`update oauth_state set expires_at = now() - interval '1 second'`);
  await expect(browser.client.identity.finishGoogle(answer)).rejects.toMatchObject(refused);
  await openBrowser(product).client.identity.startGoogle({});
  const { rows } = await product.app.deps.db.owner.query('select 1 from oauth_state');
  expect(rows).toHaveLength(1);
});

test.each<[string, NonNullable<Person['tamper']>]>([
  ['another nonce', ({ payload }) => void (payload['nonce'] = 'of-somebody-else')],
  ['no nonce', ({ payload }) => void delete payload['nonce']],
  ['another issuer', ({ payload }) => void (payload.iss = 'https://accounts.google.com')],
  ['another audience', ({ payload }) => void (payload['aud'] = 'another-application')],
  [
    'a time long past',
    ({ payload }) => void Object.assign(payload, { iat: 1_600_000_000, exp: 1_600_003_600 }),
  ],
  ['no subject', ({ payload }) => void delete payload['sub']],
  ['a key that the provider does not show', ({ header }) => void (header.kid = 'unknown')],
])('a token with %s is refused, and creates no user', async (_what, tamper) => {
  const before = await countUsers();
  const browser = openBrowser(product);
  const answer = await comeBack(browser, somebody({ tamper }));
  await expect(browser.client.identity.finishGoogle(answer)).rejects.toMatchObject(refused);
  expect(await countUsers()).toBe(before);
});

test('an answer that names another provider is refused', async () => {
  const browser = openBrowser(product);
  const answer = await comeBack(browser);
  await expect(
    browser.client.identity.finishGoogle({ ...answer, iss: 'https://evil.example' }),
  ).rejects.toMatchObject(refused);
});

test.each(['yes', 'true', 1, undefined])('email_verified as %j does not count as verified', async (value) => {
  const browser = openBrowser(product);
  const answer = await comeBack(
    browser,
    somebody({ tamper: ({ payload }) => void Object.assign(payload, { email_verified: value }) }),
  );
  await expect(browser.client.identity.finishGoogle(answer)).rejects.toMatchObject(refused);
});

test.each([
  ['a long name', 'x'.repeat(500), 80],
  ['a name that ends within an emoji', `${'x'.repeat(79)}😀`, 79],
  ['a name with a NUL', 'A\u0000B', 2],
  ['a blank name', '   ', undefined],
])('%s is cut to fit a profile, and a picture is not fetched', async (_what, name, length) => {
  const browser = openBrowser(product);
  const person = somebody({
    name,
    tamper: ({ payload }) => void (payload['picture'] = 'http://169.254.169.254/'),
  });
  const { session } = await browser.client.identity.finishGoogle(await comeBack(browser, person));
  expect(session.user.name).toHaveLength(length ?? person.email.split('@')[0]?.length ?? 0);
  expect(session.user.profilePhoto).toBe('/images/guest.svg');
});

test('a browser that has meanwhile signed in as somebody else links nothing', async () => {
  const browser = openBrowser(product);
  await browser.signIn('first-here@example.com');
  const answer = await comeBack(browser);
  const { user } = await browser.signIn('second-here@example.com');
  await expect(browser.client.identity.finishGoogle(answer)).rejects.toMatchObject(refused);
  expect((await browser.refresh()).user).toEqual(user);
});

test('a caller cannot name the user to take over from', async () => {
  const victim = await openBrowser(product).client.identity.signInAsGuest();
  for (const field of ['uid', 'userId', 'guestId']) {
    const response = await fetch(`${product.url}/v1/identity/google/start`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.9.9.8' },
      body: JSON.stringify({ [field]: victim.user.uid }),
    });
    expect(response.status).toBe(400);
  }
});

test.each([
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'https:evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  'evil',
  '/a\r\nset-cookie: x=1',
  '/a b',
  '',
])('returning to %j is refused', async (returnTo) => {
  await expect(openBrowser(product).client.identity.startGoogle({ returnTo })).rejects.toMatchObject({
    status: 400,
  });
});

test('the Host header cannot change where the browser is sent back to', async () => {
  const response = await fetch(`${product.url}/v1/identity/google/start`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-for': '10.9.9.7',
    },
    body: '{}',
  });
  expect(await response.text()).not.toContain('evil');
});

test('a provider that is down or broken is told apart from one that refuses, and is retried later', async () => {
  const state = { works: false };
  const half = createServer((request, response) => {
    if (!state.works) return void response.writeHead(500).end();
    const issuer = `http://127.0.0.1:${(half.address() as AddressInfo).port}`;
    const endpoints = {
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
    };
    if (!request.url?.startsWith('/.well-known'))
      return void response.writeHead(302, { location: '/elsewhere' }).end();
    return void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ issuer, ...endpoints }));
  });
  await new Promise<void>((resolve) => half.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(half.address() as AddressInfo).port}`;
  const other = await startProduct({ google: { ...CLIENT, issuer } });
  const browser = openBrowser(other);
  const unavailable = { status: 503, code: 'auth/provider-unavailable' };
  await expect(browser.client.identity.startGoogle({})).rejects.toMatchObject(unavailable);
  state.works = true;
  const { url } = await browser.client.identity.startGoogle({});
  const answer = { code: 'x', state: new URL(url).searchParams.get('state') ?? '' };
  // It redirects instead of responding; redirects aren't followed.
  await expect(browser.client.identity.finishGoogle(answer)).rejects.toMatchObject(refused);
  await browser.client.identity.startGoogle({});
  await new Promise((resolve) => half.close(resolve));
  await other.close();
});

test('without a client id Google is not offered', async () => {
  const bare = await startProduct();
  const { identity } = openBrowser(bare).client;
  expect(await identity.providers()).toEqual({ providers: ['email'], mail: 'inbox' });
  await expect(identity.startGoogle({})).rejects.toMatchObject({
    status: 503,
    code: 'auth/provider-unavailable',
  });
  await expect(identity.finishGoogle({ code: 'x', state: 'x' })).rejects.toMatchObject({ status: 503 });
  await bare.close();
});

test('a provider is contacted only over https, or on this machine', async () => {
  const far = await startProduct({ google: { ...CLIENT, issuer: 'http://accounts.example' } });
  await expect(openBrowser(far).client.identity.startGoogle({})).rejects.toMatchObject({ status: 503 });
  await far.close();
});
