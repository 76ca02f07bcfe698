import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, tokenOf, type Browser } from '../../../../test/browser.ts';
import {
  CLIENT,
  startMockProvider,
  startOidcProvider,
  type OpenIdProvider,
  type Person,
} from '../../../../test/stand-ins/openid-providers.ts';
import { startProduct, type Product } from '../../../../test/product.ts';

describe.each([
  ['oidc-provider', startOidcProvider],
  ['oauth2-mock-server', startMockProvider],
])('with %s', (_name, startProvider) => {
  let provider: OpenIdProvider;
  let product: Product;
  beforeAll(async () => {
    provider = await startProvider();
    product = await startProduct({ google: { ...CLIENT, issuer: provider.issuer } });
    provider.admit(`http://localhost:${new URL(product.url).port}/auth/google`);
  });
  afterAll(async () => {
    await product.close();
    await provider.close();
  });

  async function signInAs(browser: Browser, person: Person, returnTo = '/chat') {
    const { url } = await browser.client.identity.startGoogle({ returnTo });
    const back = await provider.visit(url, person);
    const { code = '', state = '', ...rest } = Object.fromEntries(back.searchParams);
    const done = await browser.client.identity.finishGoogle({
      code,
      state,
      ...(rest['iss'] && { iss: rest['iss'] }),
    });
    browser.adopt(done.session);
    return done;
  }

  async function asGuest(browser: Browser) {
    const session = await browser.client.identity.signInAsGuest();
    browser.adopt(session);
    return session.user.uid;
  }

  /** Registers, creates an organization with an agent, and chats with it. */
  async function build(browser: Browser, username: string) {
    await browser.client.user.register({ name: 'Builder', username });
    await browser.refresh();
    const { organization } = await browser.client.organization.create({ name: `Of ${username}` });
    const { chatbot } = await browser.client.chatbot.create({
      organizationId: organization.id,
      name: 'Helper',
    });
    const { conversation } = await browser.client.chat.create({ chatbotId: chatbot.id });
    return { organizationId: organization.id, agentId: chatbot.id, conversationId: conversation.id };
  }

  test('the button is offered, and the address requests a code with PKCE, state and nonce', async () => {
    const { client } = openBrowser(product);
    expect(await client.identity.providers()).toEqual({ providers: ['google', 'email'], mail: 'inbox' });
    const { url } = await client.identity.startGoogle({});
    const query = Object.fromEntries(new URL(url).searchParams);
    expect(query).toMatchObject({
      response_type: 'code',
      client_id: 'parley',
      code_challenge_method: 'S256',
      redirect_uri: `http://localhost:${new URL(product.url).port}/auth/google`,
    });
    for (const secret of ['state', 'nonce', 'code_challenge']) expect(query[secret]).toMatch(/^[\w-]{43}$/);
  });

  test('a new person becomes a user, and is the same one the next time', async () => {
    const person = { subject: 'new-1', email: 'New.One@example.com', name: 'New One' };
    const first = await signInAs(openBrowser(product), person, '/chat?x=1');
    expect(first).toMatchObject({ outcome: 'signed-in', returnTo: '/chat?x=1' });
    expect(first.session.user).toMatchObject({
      name: 'New One',
      email: 'new.one@example.com',
      emailVerified: true,
      isAnonymous: false,
      isMember: false,
      providerData: [
        { providerId: 'google', email: 'new.one@example.com' },
        { providerId: 'email', email: 'new.one@example.com' },
      ],
    });
    const second = await signInAs(openBrowser(product), { ...person, email: 'renamed@example.com' });
    expect(second.session.user).toMatchObject({ uid: first.session.user.uid, email: 'new.one@example.com' });
  });

  test('a guest keeps their id and everything they built, and their old session ends', async () => {
    const browser = openBrowser(product);
    const uid = await asGuest(browser);
    const built = await build(browser, `keeper-${uid.slice(-6)}`);
    const before = await browser.refresh();
    const old = openBrowser(product);
    old.adopt(before);
    const { session, outcome } = await signInAs(browser, { subject: 'keeper', email: 'keeper@example.com' });
    expect([outcome, session.user.uid, session.user.isAnonymous, session.user.isMember]).toEqual([
      'linked',
      uid,
      false,
      true,
    ]);
    expect((await browser.client.organization.list()).organizations).toMatchObject([
      { id: built.organizationId },
    ]);
    expect((await browser.client.chat.get({ id: built.conversationId })).conversation.id).toBe(
      built.conversationId,
    );
    await expect(old.client.chat.list()).rejects.toMatchObject({ status: 401 });
  });

  test('a guest with an existing account is merged: what they built moves, the older profile stays', async () => {
    const person = { subject: 'older', email: 'older@example.com', name: 'Older' };
    const first = openBrowser(product);
    await signInAs(first, person);
    const mine = await build(first, 'older-one');
    const browser = openBrowser(product);
    const guestId = await asGuest(browser);
    const built = await build(browser, 'guest-one');
    const guest = await browser.refresh();

    const { session, outcome } = await signInAs(browser, person);
    expect(outcome).toBe('merged');
    expect(session.user).toMatchObject({ username: 'older-one', isMember: true });
    expect(session.user.uid).not.toBe(guestId);
    const { organizations } = await browser.client.organization.list();
    expect(organizations.map(({ id }) => id).toSorted()).toEqual(
      [mine.organizationId, built.organizationId].toSorted(),
    );
    expect(await browser.client.organization.selfRole({ orgId: built.organizationId })).toEqual({
      role: 'owner',
    });
    expect((await browser.client.chat.list()).conversations.map(({ id }) => id)).toContain(
      built.conversationId,
    );
    await browser.client.chatbot.update({
      id: built.agentId,
      organizationId: built.organizationId,
      name: 'Mine',
    });
    browser.adopt(guest);
    await expect(browser.client.chat.list()).rejects.toMatchObject({ status: 401 });
    await expect(
      openBrowser(product).client.user.getByUsername({ username: 'guest-one' }),
    ).rejects.toMatchObject({ status: 404 });
  });

  test('a person who once used an e-mail link is found by the verified address', async () => {
    const byMail = openBrowser(product);
    const { user } = await byMail.signIn('both@example.com');
    expect(user.providerData).toEqual([{ providerId: 'email', email: 'both@example.com' }]);
    const { session } = await signInAs(openBrowser(product), { subject: 'both', email: 'Both@Example.com' });
    expect(session.user.uid).toBe(user.uid);
    expect(session.user.providerData.map(({ providerId }) => providerId)).toEqual(['google', 'email']);
  });

  test('a signed-in person links their account, whatever its address', async () => {
    const browser = openBrowser(product);
    const { user } = await browser.signIn('linker@example.com');
    const { session, outcome } = await signInAs(browser, { subject: 'linker', email: 'private@example.org' });
    expect([outcome, session.user.uid, session.user.email]).toEqual([
      'linked',
      user.uid,
      'linker@example.com',
    ]);
    const again = await signInAs(openBrowser(product), { subject: 'linker', email: 'private@example.org' });
    expect(again.session.user.uid).toBe(user.uid);
  });

  test('somebody else’s account is a conflict and changes nothing', async () => {
    const taken = { subject: 'taken', email: 'taken@example.com' };
    const owner = await signInAs(openBrowser(product), taken);
    const browser = openBrowser(product);
    const { user } = await browser.signIn('thief@example.com');
    await expect(signInAs(browser, taken)).rejects.toMatchObject({
      status: 409,
      code: 'auth/account-exists',
    });
    await expect(signInAs(browser, { subject: 'another', email: 'taken@example.com' })).rejects.toMatchObject(
      { code: 'auth/account-exists' },
    );
    expect((await browser.refresh()).user).toEqual(user);
    const again = await signInAs(openBrowser(product), taken);
    expect(again.session.user).toEqual(owner.session.user);
  });

  test('a second Google account is not linked beside the first', async () => {
    const browser = openBrowser(product);
    await signInAs(browser, { subject: 'one-of-two', email: 'two@example.com' });
    await expect(
      signInAs(browser, { subject: 'two-of-two', email: 'two-b@example.com' }),
    ).rejects.toMatchObject({
      status: 409,
    });
  });

  test('an unverified address is refused, and creates no user', async () => {
    const browser = openBrowser(product);
    await browser.signIn('victim@example.com');
    await expect(
      signInAs(openBrowser(product), { subject: 'unsure', email: 'victim@example.com', verified: false }),
    ).rejects.toMatchObject({ status: 400, code: 'auth/provider-refused' });
    expect((await browser.refresh()).user.providerData).toHaveLength(1);
  });

  test('ten guests who return as the same person at once leave one person with everything', async () => {
    const person = { subject: 'many-guests', email: 'many-guests@example.com' };
    const agent = await build(await signedUp(openBrowser(product)), 'host-of-many');
    const browsers = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const browser = openBrowser(product);
        await asGuest(browser);
        await browser.client.chat.create({ chatbotId: agent.agentId });
        return browser;
      }),
    );
    const done = await Promise.all(browsers.map((browser) => signInAs(browser, person)));
    expect(new Set(done.map(({ session }) => session.user.uid)).size).toBe(1);
    expect(done.map(({ outcome }) => outcome).toSorted()).toEqual([
      'linked',
      ...Array.from({ length: 9 }, () => 'merged'),
    ]);
    expect((await browsers[0]?.client.chat.list())?.conversations).toHaveLength(10);
  });

  async function signedUp(browser: Browser): Promise<Browser> {
    await asGuest(browser);
    return browser;
  }

  test('a guest who opens the link of a known address is merged as well', async () => {
    const { user } = await openBrowser(product).signIn('returning@example.com');
    const browser = openBrowser(product);
    await asGuest(browser);
    const built = await build(browser, 'returning-guest');
    await browser.client.identity.sendSignInLink({ email: 'returning@example.com' });
    const token = tokenOf((await browser.mailTo('returning@example.com')).text);
    const session = await browser.client.identity.confirmSignInLink({
      email: 'returning@example.com',
      token,
    });
    browser.adopt(session);
    // Only the guest had registered: that registration is taken over.
    expect(session.user).toMatchObject({ uid: user.uid, username: 'returning-guest', isMember: true });
    expect((await browser.client.organization.list()).organizations).toMatchObject([
      { id: built.organizationId },
    ]);
    expect((await browser.client.chat.list()).conversations).toHaveLength(1);
  });
});
