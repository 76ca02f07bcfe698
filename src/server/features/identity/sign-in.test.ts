import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, tokenOf, type Browser } from '../../../../test/browser.ts';
import { startProduct, type Product } from '../../../../test/product.ts';
import { forgetMails } from '../mail/store.ts';
import { forgetLinks, forgetSessions } from './store.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

const gone = { status: 400, code: 'auth/invalid-action-code' };

async function askFor(email: string) {
  const browser = openBrowser(product);
  await browser.client.identity.sendSignInLink({ email });
  return { browser, email, token: tokenOf((await browser.mailTo(email)).text) };
}

function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(product.url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
}

test('a link expires after fifteen minutes', async () => {
  const { browser, email, token } = await askFor('late@example.com');
  await product.app.deps.db.owner.query(
    `update sign_in_link set expires_at = expires_at - interval '15 minutes' where email = $1`,
    [email],
  );
  await expect(browser.client.identity.confirmSignInLink({ email, token })).rejects.toMatchObject(gone);
});

test('an address whose domain has letters beyond ASCII is the one that mail servers know', async () => {
  const browser = openBrowser(product);
  await browser.client.identity.sendSignInLink({ email: ' Ada@Bücher.example ' });
  const email = 'ada@xn--bcher-kva.example';
  const token = tokenOf((await browser.mailTo(email)).text);
  const { user } = await browser.client.identity.confirmSignInLink({ email: 'ADA@BÜCHER.example', token });
  expect(user.email).toBe(email);
  for (const wrong of [
    'ada@bü cher.example',
    'ada@bücher.example/x',
    'ada@bücher',
    'adä@bücher.example',
    '@ü.de',
  ])
    await expect(browser.client.identity.sendSignInLink({ email: wrong })).rejects.toMatchObject({
      status: 400,
    });
});

test('an address whose sign-in secret is missing or garbled is reported as not a sign-in link', async () => {
  const email = 'torn@example.com';
  for (const torn of [{ email }, { email, token: '' }, { email, token: 'x'.repeat(500) }]) {
    const response = await post('/v1/identity/email-link/confirm', torn);
    expect([response.status, await response.json()]).toMatchObject([400, { code: gone.code }]);
  }
  const response = await post('/v1/identity/email-link/confirm', {});
  expect(await response.json()).toMatchObject({ code: 'auth/missing-email' });
});

test('opening a link’s address, as mail scanners do, does not use it up', async () => {
  const { browser, email, token } = await askFor('scanned@example.com');
  const confirm = `${product.url}/v1/identity/email-link/confirm?token=${token}&email=${email}`;
  for (const method of ['GET', 'HEAD']) {
    expect((await fetch(confirm, { method })).status).toBe(405);
    await fetch(`${product.url}/auth/email-verification?token=${token}`, { method });
  }
  expect((await browser.client.identity.confirmSignInLink({ email, token })).user.email).toBe(email);
});

test('a link names the configured host, whatever the request says', async () => {
  await post(
    '/v1/identity/email-link',
    { email: 'host@example.com' },
    {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-for': '10.8.0.1',
    },
  );
  const { text } = await openBrowser(product).mailTo('host@example.com');
  expect(text).toContain(`http://localhost:${new URL(product.url).port}/auth/email-verification`);
  expect(text).not.toContain('evil.example');
});

test('the destination of a link is reported: the local inbox without a mail server, none for a public installation', async () => {
  const mailOf = async (url: string) => (await (await fetch(`${url}/v1/identity/providers`)).json()).mail;
  expect(await mailOf(product.url)).toBe('inbox');
  for (const [smtpUrl, mail] of [
    [undefined, 'none'],
    ['smtp://127.0.0.1:1', 'sent'],
  ] as const) {
    const elsewhere = await startProduct({ publicUrl: 'https://chat.example.com', smtpUrl });
    expect(await mailOf(elsewhere.url)).toBe(mail);
    await elsewhere.close();
  }
});

test.each([{}, { token: '' }, { token: null }, { token: [] }, { token: '0' }, { token: { $gt: '' } }])(
  'the token %j confirms nothing',
  async (rest) => {
    const response = await post(
      '/v1/identity/email-link/confirm',
      { email: 'a@example.com', ...rest },
      {
        'x-forwarded-for': '10.8.0.2',
      },
    );
    expect(response.status).toBe(400);
  },
);

test('known and unknown addresses get the same answer', async () => {
  await openBrowser(product).signIn('known@example.com');
  const answers = await Promise.all(
    ['known@example.com', 'unknown@example.com'].map(async (email, index) => {
      const response = await post(
        '/v1/identity/email-link',
        { email },
        { 'x-forwarded-for': `10.8.1.${index}` },
      );
      const headers = [...response.headers.keys()].toSorted();
      return { status: response.status, body: await response.text(), headers };
    }),
  );
  expect(answers[0]).toEqual(answers[1]);
});

test('an address gets ten links an hour, wherever they are requested from', async () => {
  const email = 'flooded@example.com';
  for (let count = 0; count < 10; count += 1)
    await openBrowser(product).client.identity.sendSignInLink({ email });
  await expect(openBrowser(product).client.identity.sendSignInLink({ email })).rejects.toMatchObject({
    status: 429,
  });
});

test('an address gets ten links an hour, however many are requested at once', async () => {
  const email = 'flooded-at-once@example.com';
  const asked = await Promise.allSettled(
    Array.from({ length: 30 }, () => openBrowser(product).client.identity.sendSignInLink({ email })),
  );
  const refused = asked.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(20);
  for (const each of refused) expect(each).toMatchObject({ reason: { status: 429 } });
});

test('a day later nothing is left of a link or its address', async () => {
  const { owner } = product.app.deps.db;
  const emails = ['forgotten@example.com', 'kept@example.com'];
  for (const email of emails) await askFor(email);
  await owner.query(
    `update sign_in_link set created_at = created_at - interval '1 day' where email = 'forgotten@example.com'`,
  );
  await forgetLinks({ owner });
  const { rows } = await owner.query('select email from sign_in_link where email = any($1)', [emails]);
  expect(rows).toEqual([{ email: 'kept@example.com' }]);
});

test('sign-ins that ended long ago are deleted, as are old mails', async () => {
  const { owner } = product.app.deps.db;
  const people = ['stays', 'left', 'slept'];
  for (const name of people) {
    const { browser, email, token } = await askFor(`${name}@example.com`);
    await browser.client.identity.confirmSignInLink({ email, token });
  }
  const ofPerson = `user_id = (select id from "user" where email = $1)`;
  const days = `now() - interval '2 days'`;
  await owner.query(`update session set revoked_at = ${days} where ${ofPerson}`, ['left@example.com']);
  await owner.query(`update session set expires_at = ${days} where ${ofPerson}`, ['slept@example.com']);
  await owner.query(
    `update mail set created_at = created_at - interval '31 days' where recipient <> 'stays@example.com'`,
  );
  await forgetSessions({ owner });
  await forgetMails({ owner });
  const emails = people.map((name) => `${name}@example.com`);
  const signedIn = await owner.query(
    'select email from session s join "user" u on u.id = s.user_id where email = any($1)',
    [emails],
  );
  expect(signedIn.rows).toEqual([{ email: 'stays@example.com' }]);
  const mails = await owner.query('select recipient from mail');
  expect(mails.rows).toEqual([{ recipient: 'stays@example.com' }]);
});

test('a whole IPv6 network counts as one caller', async () => {
  const ask = (address: string, index: number) =>
    post('/v1/identity/email-link', { email: `six-${index}@example.com` }, { 'x-forwarded-for': address });
  for (let index = 0; index < 10; index += 1)
    expect((await ask(`2001:db8:1:2::${index + 1}`, index)).status).toBe(200);
  expect((await ask('2001:db8:1:2:ffff::1', 10)).status).toBe(429);
  expect((await ask('2001:db8:1:3::1', 11)).status).toBe(200);
});

test('usernames can be looked up thirty times a minute', async () => {
  const { client, adopt } = openBrowser(product);
  adopt(await client.identity.signInAsGuest());
  const tries = await Promise.allSettled(
    Array.from({ length: 31 }, (_, index) => client.user.checkUsername({ username: `name-${index}` })),
  );
  expect(tries.filter(({ status }) => status === 'rejected')).toHaveLength(1);
});

test('each sign-in creates a new session and invalidates the previous one', async () => {
  const browser = openBrowser(product);
  const guest = await browser.client.identity.signInAsGuest();
  const planted = new Map(browser.jar);
  browser.adopt(guest);
  const session = await browser.signIn('fixation@example.com');
  expect(session.idToken).not.toBe(guest.idToken);
  const attacker = openBrowser(product);
  for (const [name, value] of planted) attacker.jar.set(name, value);
  expect(await attacker.client.identity.refresh()).toEqual({ session: null });
  attacker.adopt(guest);
  await expect(attacker.client.chat.list()).rejects.toMatchObject({ status: 401 });
});

const afterTheGrace = () =>
  product.app.deps.db.owner.query(`update session set refreshed_at = now() - interval '11 seconds'`);

/** A second browser with the first one's current cookies. */
function copyOf(browser: Browser): Browser {
  const copy = openBrowser(product);
  for (const [name, value] of browser.jar) copy.jar.set(name, value);
  return copy;
}

test('a refresh secret reused after its successor ends the whole session', async () => {
  const browser = openBrowser(product);
  browser.adopt(await browser.client.identity.signInAsGuest());
  const thief = copyOf(browser);
  await browser.refresh();
  await afterTheGrace();
  await browser.refresh();
  expect(await thief.client.identity.refresh()).toEqual({ session: null });
  expect(await browser.client.identity.refresh()).toEqual({ session: null });
});

test('a browser that lost a refresh answer stays signed in; a copy of the lost answer ends the session', async () => {
  const browser = openBrowser(product);
  browser.adopt(await browser.client.identity.signInAsGuest());
  const { uid } = (await browser.refresh()).user;
  const lost = copyOf(browser);
  await lost.refresh();
  await afterTheGrace();
  expect((await browser.refresh()).user.uid).toBe(uid);
  await afterTheGrace();
  expect((await browser.refresh()).user.uid).toBe(uid);
  expect(await lost.client.identity.refresh()).toEqual({ session: null });
  expect(await browser.client.identity.refresh()).toEqual({ session: null });
});

test('cookies are hidden from scripts, and over https cannot be sent insecurely or planted', async () => {
  const plain = await post('/v1/identity/guest', {}, { 'x-forwarded-for': '10.8.0.3' });
  expect(plain.headers.getSetCookie().map((line) => line.replace(/=[^;]+/, ''))).toEqual([
    'auth-token; Max-Age=3600; Path=/; HttpOnly; SameSite=Lax',
    'refresh-token; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax',
  ]);
  const secure = await post(
    '/v1/identity/guest',
    {},
    {
      'x-forwarded-for': '10.8.0.3',
      'x-forwarded-proto': 'https',
    },
  );
  const cookies = secure.headers.getSetCookie();
  expect(cookies.map((line) => line.replace(/=[^;]+/, ''))).toEqual([
    'auth-token; Max-Age=3600; Path=/; HttpOnly; Secure; SameSite=Lax',
    '__Host-refresh-token; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax',
  ]);
  const cookie = cookies.map((line) => line.split(';')[0]).join('; ');
  const { session } = (await (
    await post('/v1/identity/refresh', {}, { cookie, 'x-forwarded-proto': 'https' })
  ).json()) as { session: object | null };
  expect(session).not.toBeNull();
});

test.each<[string, Record<string, string>, string]>([
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'a=b'],
  ['plain text', { 'content-type': 'text/plain' }, '{}'],
  ['a form with files', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--'],
  ['JSON', { 'content-type': 'application/json' }, '{}'],
])('%s from another site that carries cookies changes nothing', async (_what, type, body) => {
  const browser = openBrowser(product);
  await browser.client.identity.signInAsGuest();
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  for (const from of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ]) {
    const headers = { ...type, ...from, cookie } as Record<string, string>;
    const response = await fetch(`${product.url}/v1/identity/sign-out`, { method: 'POST', body, headers });
    expect(response.status).toBe(403);
  }
  expect((await browser.client.identity.refresh()).session).not.toBeNull();
});
