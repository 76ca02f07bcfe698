import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../../contract/client.ts';
import { contract } from '../../../contract/index.ts';
import { startProduct, type Product } from '../../../../test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

/** A browser: it stores cookies and sends them back. */
function openBrowser(address: string) {
  const jar = new Map<string, string>();
  let idToken: string | undefined;
  const client = createClient(contract, {
    baseUrl: product.url,
    token: () => idToken,
    fetch: async (input, init) => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(input, {
        ...init,
        headers: {
          ...(init?.headers as Record<string, string>),
          'x-forwarded-for': address,
          'sec-fetch-site': 'same-origin',
          ...(cookie ? { cookie } : {}),
        },
      });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') jar.delete(name);
        else jar.set(name, value);
      }
      return response;
    },
  });
  return { client, jar, bear: (token: string | undefined) => (idToken = token) };
}

async function lastLink(email: string): Promise<string> {
  const find = async (): Promise<string | undefined> => {
    const page = await (await fetch(`${product.url}/dev/inbox`)).text();
    const mail = page.split('<article>').find((part) => part.includes(`To ${email},`));
    return mail && /verification\?token=([\w-]+)"/.exec(mail)?.[1];
  };
  await expect.poll(find).toBeTruthy();
  return (await find()) ?? '';
}

test('a guest has a token that says so and is called Guest', async () => {
  const { user, idToken } = await product.as('x', 'anonymous').identity.signInAsGuest();
  expect(user).toMatchObject({ name: 'Guest', isAnonymous: true, isMember: false, email: null });
  expect(decodeJwt(idToken)).toMatchObject({ sub: user.uid, isAnonymous: true, member: false, email: null });
});

test('a link signs in once, in the browser that requested it, and that browser’s guest keeps their id', async () => {
  const browser = openBrowser('10.1.0.1');
  const guest = await browser.client.identity.signInAsGuest();
  browser.bear(guest.idToken);
  await browser.client.identity.sendSignInLink({ email: 'Eve@Example.com' });
  const token = await lastLink('eve@example.com');

  const elsewhere = openBrowser('10.1.0.2');
  await expect(
    elsewhere.client.identity.confirmSignInLink({ email: 'eve@example.com', token }),
  ).rejects.toMatchObject({ code: 'auth/invalid-action-code' });

  const { user } = await browser.client.identity.confirmSignInLink({ email: 'EVE@example.com', token });
  expect(user).toMatchObject({
    uid: guest.user.uid,
    email: 'eve@example.com',
    emailVerified: true,
    isAnonymous: false,
  });
  // The guest's own token is no longer valid; without it, the link is what is rejected.
  await expect(browser.client.chat.list()).rejects.toMatchObject({ status: 401 });
  browser.bear(undefined);
  await expect(
    browser.client.identity.confirmSignInLink({ email: 'eve@example.com', token }),
  ).rejects.toMatchObject({ code: 'auth/invalid-action-code' });
});

test('a confirmation without an e-mail names that error', async () => {
  const { client } = openBrowser('10.1.0.3');
  await expect(client.identity.confirmSignInLink({ token: 'whatever' })).rejects.toMatchObject({
    status: 400,
    code: 'auth/missing-email',
  });
  await expect(client.identity.confirmSignInLink({ email: '', token: 'whatever' })).rejects.toMatchObject({
    code: 'auth/missing-email',
  });
});

test('of fifty concurrent confirmations one succeeds', async () => {
  const browser = openBrowser('10.1.0.4');
  await browser.client.identity.sendSignInLink({ email: 'many@example.com' });
  const token = await lastLink('many@example.com');
  const tries = await Promise.allSettled(
    Array.from({ length: 50 }, () =>
      browser.client.identity.confirmSignInLink({ email: 'many@example.com', token }),
    ),
  );
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a link dies after five wrong attempts', async () => {
  const browser = openBrowser('10.1.0.5');
  await browser.client.identity.sendSignInLink({ email: 'five@example.com' });
  const token = await lastLink('five@example.com');
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await expect(
      browser.client.identity.confirmSignInLink({ email: 'wrong@example.com', token }),
    ).rejects.toMatchObject({ status: 400 });
  }
  await expect(
    browser.client.identity.confirmSignInLink({ email: 'five@example.com', token }),
  ).rejects.toMatchObject({ code: 'auth/invalid-action-code' });
});

test('registering makes the next token a member’s, and a taken name is a conflict', async () => {
  const browser = openBrowser('10.1.0.6');
  const guest = await browser.client.identity.signInAsGuest();
  browser.bear(guest.idToken);
  await expect(browser.client.organization.list()).rejects.toMatchObject({
    status: 403,
    code: 'auth/not-a-member',
  });
  await browser.client.user.register({ name: 'Flo', username: 'Flo' });
  const { session } = await browser.client.identity.refresh();
  browser.bear(session?.idToken);
  expect(session?.user).toMatchObject({ isMember: true, username: 'Flo' });
  expect(await browser.client.organization.list()).toMatchObject({ organizations: [] });
  await expect(
    product.as('gil', 'guest').user.register({ name: 'Gil', username: 'FLO' }),
  ).rejects.toMatchObject({
    status: 409,
    code: 'user/username-taken',
    errors: [{ path: 'username' }],
  });
});

test('signing out invalidates the token, the cookies and the refresh', async () => {
  const browser = openBrowser('10.1.0.7');
  const guest = await browser.client.identity.signInAsGuest();
  const stolen = browser.jar.get('refresh-token') ?? '';
  await browser.client.identity.signOut();
  expect([...browser.jar.keys()]).toEqual([]);
  browser.bear(guest.idToken);
  await expect(browser.client.chat.list()).rejects.toMatchObject({ status: 401 });
  browser.bear(undefined);
  browser.jar.set('refresh-token', stolen);
  expect(await browser.client.identity.refresh()).toEqual({ session: null });
});

test('signing out with only a token invalidates it, since programs keep no cookies', async () => {
  const guest = await openBrowser('10.1.0.17').client.identity.signInAsGuest();
  const program = openBrowser('10.1.0.18');
  program.bear(guest.idToken);
  await program.client.identity.signOut();
  await expect(program.client.chat.list()).rejects.toMatchObject({ status: 401 });
});

test('a refresh secret used twenty times at once renews one session and is not given out twice', async () => {
  const browser = openBrowser('10.1.0.8');
  await browser.client.identity.signInAsGuest();
  const secret = browser.jar.get('refresh-token') ?? '';
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      fetch(`${product.url}/v1/identity/refresh`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json', cookie: `refresh-token=${secret}` },
      }),
    ),
  );
  const given = answers.flatMap((answer) =>
    answer.headers.getSetCookie().filter((line) => /^refresh-token=./.test(line)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(given).toHaveLength(1);
});

test.each([
  ['none', { alg: 'none' }],
  ['a key of the attacker', { alg: 'HS256', jwk: { kty: 'oct', k: 'AAAA' } }],
  ['a key id from elsewhere', { alg: 'ES256', kid: '../../dev/null' }],
])('a token signed with %s is refused', async (_what, header) => {
  const { idToken, user } = await product.sessionOf('mallory', 'guest');
  const [, payload, signature] = idToken.split('.');
  const forged = [
    Buffer.from(JSON.stringify(header)).toString('base64url'),
    payload,
    header.alg === 'none' ? '' : signature,
  ].join('.');
  const response = await fetch(`${product.url}/v1/user/${user.uid}`, {
    headers: { authorization: `Bearer ${forged}` },
  });
  expect(response.status).toBe(401);
});

test('tokens signed with a replaced key stay valid, and new ones use the new key', async () => {
  const { idToken, user } = await product.sessionOf('heidi', 'guest');
  await product.app.deps.identity.keys.rotate();
  const response = await fetch(`${product.url}/v1/user/${user.uid}`, {
    headers: { authorization: `Bearer ${idToken}` },
  });
  expect(response.status).toBe(200);
  const { keys } = (await (await fetch(`${product.url}/.well-known/jwks.json`)).json()) as { keys: object[] };
  expect(keys).toHaveLength(2);
  expect(JSON.stringify(keys)).not.toContain('"d"');
});

test('a cross-site request with cookies changes nothing', async () => {
  const browser = openBrowser('10.1.0.9');
  await browser.client.identity.signInAsGuest();
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]) {
    const response = await fetch(`${product.url}/v1/identity/sign-out`, {
      method: 'POST',
      body: '{}',
      headers: { ...headers, cookie, 'content-type': 'application/json' },
    });
    expect(response.status).toBe(403);
  }
});

test('the inbox does not exist behind a proxy, nor for a page whose name was rebound to this machine', async () => {
  const { http } = product.app;
  const { host } = new URL(product.url);
  const asked = async (headers: Record<string, string>) =>
    (await http.inject({ url: '/dev/inbox', headers: { host, ...headers } })).statusCode;
  expect(await asked({})).toBe(200);
  expect(await asked({ 'x-forwarded-for': '203.0.113.7' })).toBe(404);
  for (const name of ['rebound.example', 'localhost.rebound.example', '127.0.0.1.rebound.example'])
    expect(await asked({ host: `${name}:${new URL(product.url).port}` })).toBe(404);
});

test('a publicly reachable installation has no inbox, because not every proxy identifies itself', async () => {
  const elsewhere = await startProduct({ publicUrl: 'https://parley.example' });
  expect((await fetch(`${elsewhere.url}/dev/inbox`)).status).toBe(404);
  await elsewhere.close();
});
