import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Browser } from '../../../../test/browser.ts';
import { CLIENT, startMockProvider } from '../../../../test/stand-ins/openid-providers.ts';
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

async function byGoogle(browser: Browser, subject: string) {
  const { url } = await browser.client.identity.startGoogle({});
  const back = await provider.visit(url, { subject, email: `${subject}@example.com` });
  const answer = { code: back.searchParams.get('code') ?? '', state: back.searchParams.get('state') ?? '' };
  const { session } = await browser.client.identity.finishGoogle(answer);
  browser.adopt(session);
  return session;
}

test('Google can be unlinked while the address remains, and a new sign-in links it again', async () => {
  const browser = openBrowser(product);
  const { user } = await byGoogle(browser, 'leaver');
  const left = await browser.client.identity.unlink({ providerId: 'google' });
  expect(left.user.providerData).toEqual([{ providerId: 'email', email: 'leaver@example.com' }]);
  await expect(browser.client.identity.unlink({ providerId: 'email' })).rejects.toMatchObject({
    status: 409,
    code: 'auth/last-provider',
  });
  const again = await byGoogle(openBrowser(product), 'leaver');
  expect(again.user).toMatchObject({
    uid: user.uid,
    providerData: [{ providerId: 'google' }, { providerId: 'email' }],
  });
});

test('the address can be unlinked while Google remains, and its links then sign in as somebody else', async () => {
  const browser = openBrowser(product);
  const { user } = await byGoogle(browser, 'mailless');
  const { user: left } = await browser.client.identity.unlink({ providerId: 'email' });
  expect(left).toMatchObject({ email: null, emailVerified: false, isAnonymous: false });
  expect(left.providerData).toEqual([{ providerId: 'google', email: 'mailless@example.com' }]);
  await expect(browser.client.identity.unlink({ providerId: 'google' })).rejects.toMatchObject({
    status: 409,
  });
  const stranger = await openBrowser(product).signIn('mailless@example.com');
  expect(stranger.user.uid).not.toBe(user.uid);
  expect((await byGoogle(openBrowser(product), 'mailless')).user.uid).toBe(user.uid);
});

test('an unlinked address is added again by its link', async () => {
  const browser = openBrowser(product);
  const { user } = await byGoogle(browser, 'returning-mail');
  await browser.client.identity.unlink({ providerId: 'email' });
  const session = await browser.signIn('another@example.com');
  expect(session.user).toMatchObject({ uid: user.uid, email: 'another@example.com' });
});

test('a provider that a person does not have cannot be unlinked', async () => {
  const browser = openBrowser(product);
  await browser.signIn('only-mail@example.com');
  await expect(browser.client.identity.unlink({ providerId: 'google' })).rejects.toMatchObject({
    status: 404,
  });
  await expect(product.as('g', 'guest').identity.unlink({ providerId: 'email' })).rejects.toMatchObject({
    status: 404,
  });
});

test('unlinking both ways at once leaves one', async () => {
  const browser = openBrowser(product);
  await byGoogle(browser, 'both-at-once');
  const tries = await Promise.allSettled([
    browser.client.identity.unlink({ providerId: 'google' }),
    browser.client.identity.unlink({ providerId: 'email' }),
  ]);
  expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect((await browser.refresh()).user.providerData).toHaveLength(1);
});

test('unlinking ends every other session, since somebody may have signed in that way', async () => {
  const [here, there] = [openBrowser(product), openBrowser(product)];
  await byGoogle(here, 'two-sessions');
  await byGoogle(there, 'two-sessions');
  await here.client.identity.unlink({ providerId: 'google' });
  await expect(there.client.chat.list()).rejects.toMatchObject({ status: 401 });
  await here.client.chat.list();
});

test('signing out everywhere ends tokens, refresh cookies and sockets of all browsers, and nobody else’s', async () => {
  const browsers = [openBrowser(product), openBrowser(product), openBrowser(product)];
  const sessions = [];
  for (const browser of browsers) sessions.push(await browser.signIn('everywhere@example.com'));
  const bystander = openBrowser(product);
  await bystander.signIn('bystander@example.com');
  const socket = io(product.url, {
    transports: ['websocket'],
    auth: { idToken: sessions[1]?.idToken },
    reconnection: false,
  });
  await new Promise<void>((resolve) => socket.on('connect', () => resolve()));
  const disconnected = new Promise((resolve) => socket.on('disconnect', resolve));

  expect(await browsers[0]?.client.identity.signOutEverywhere()).toEqual({ ended: 3 });
  await disconnected;
  for (const browser of browsers) {
    await expect(browser.client.chat.list()).rejects.toMatchObject({ status: 401 });
    browser.adopt(undefined);
    expect(await browser.client.identity.refresh()).toEqual({ session: null });
  }
  await bystander.client.chat.list();
});

test('every table that references a user is known to the guest merge', async () => {
  const { rows } = await product.app.deps.db.owner.query<{ name: string }>(
    `select conrelid::regclass::text as name from pg_constraint where contype = 'f' and confrelid = '"user"'::regclass
     union select table_name from information_schema.columns
       where table_schema = 'public' and column_name in ('user_id', 'created_by', 'invited_by', 'actor_id', 'approved_by', 'published_by', 'started_by', 'author_id', 'assignee_id', 'taken_by') order by 1`,
  );
  const talks = [
    'attachment',
    'conversation',
    'conversation_note',
    'handover',
    'message',
    'message_feedback',
    'participant',
  ];
  const work = [
    'agent_import',
    'agent_version',
    'test_run',
    'api_key',
    'audit_entry',
    'file',
    'invite',
    'knowledge_revision',
    'plugin_login',
    'tool_account',
    'tool_login',
    'upload',
  ];
  const people = ['data_export', 'member', 'onboarding_event', 'organization', 'team_member', 'visitor'];
  const money = ['entitlement', 'payment_customer', 'purchase'];
  const numbers = ['insight_conversation', 'insight_member', 'insight_person', 'insight_report'];
  const ways = ['account', 'idempotency_key', 'oauth_state', 'push_subscription', 'session', 'sign_in_link'];
  expect(rows.map(({ name }) => name)).toEqual(
    [...talks, ...work, ...money, ...people, ...numbers, ...ways].toSorted(),
  );
});

test('the database itself refuses to merge anybody who is not a guest', async () => {
  const { user: person } = await openBrowser(product).signIn('not-a-guest@example.com');
  const { user: other } = await openBrowser(product).signIn('neither@example.com');
  const guest = (await product.sessionOf('merged', 'guest')).user;
  for (const [from, into] of [
    [person.uid, other.uid],
    [guest.uid, guest.uid],
    [person.uid, guest.uid],
    ['usr_none', person.uid],
  ]) {
    await expect(product.app.deps.db.owner.query('select merge_guest($1, $2)', [from, into])).rejects.toThrow(
      'Only a guest',
    );
  }
});
