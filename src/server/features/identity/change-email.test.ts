import { afterAll, beforeAll, expect, test } from 'vitest';
import { SIGN_IN_LINKS_PER_HOUR } from '../../../contract/limits.ts';
import { openBrowser, tokenOf, type Browser } from '../../../../test/browser.ts';
import { startProduct, type Product } from '../../../../test/product.ts';

/** Someone whose only way in is an e-mail address gets another one. */

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

async function linkTo(browser: Browser, email: string) {
  await browser.client.identity.changeEmail({ email });
  return { email, token: tokenOf((await browser.mailTo(email)).text) };
}

test('a new address replaces the old one once it is proven; the old one is told, and other sessions end', async () => {
  const [browser, phone] = [openBrowser(product), openBrowser(product)];
  const { user } = await browser.signIn('old@example.com');
  await phone.signIn('old@example.com');
  const link = await linkTo(browser, 'new@example.com');
  expect((await browser.refresh()).user.email).toBe('old@example.com');
  const changed = await browser.client.identity.confirmSignInLink(link);
  expect(changed.user).toMatchObject({
    uid: user.uid,
    email: 'new@example.com',
    emailVerified: true,
    providerData: [{ providerId: 'email', email: 'new@example.com' }],
  });
  browser.adopt(changed);
  expect((await browser.refresh()).user.uid).toBe(user.uid);
  await expect(phone.client.identity.refresh()).rejects.toMatchObject({ code: 'auth/unauthenticated' });
  phone.adopt(undefined);
  expect(await phone.client.identity.refresh()).toEqual({ session: null });
  const told = await browser.mailTo('old@example.com');
  expect(told.text).toContain('You now sign in as new@example.com');
  expect((await openBrowser(product).signIn('new@example.com')).user.uid).toBe(user.uid);
  expect((await openBrowser(product).signIn('old@example.com')).user.uid).not.toBe(user.uid);
});

test('an address that is someone else’s by then is refused, and nothing changes', async () => {
  const browser = openBrowser(product);
  await browser.signIn('mine@example.com');
  const link = await linkTo(browser, 'theirs@example.com');
  await openBrowser(product).signIn('theirs@example.com');
  await expect(browser.client.identity.confirmSignInLink(link)).rejects.toMatchObject({
    status: 409,
    code: 'auth/account-exists',
  });
  expect((await browser.refresh()).user.email).toBe('mine@example.com');
});

test('the link is of no use to someone else, signed out, or in another browser, and signs nobody in', async () => {
  const gone = { status: 400, code: 'auth/invalid-action-code' };
  const browser = openBrowser(product);
  await browser.signIn('first@example.com');
  await expect(
    openBrowser(product).client.identity.confirmSignInLink(await linkTo(browser, 'a@example.com')),
  ).rejects.toMatchObject(gone);

  const second = await linkTo(browser, 'b@example.com');
  await browser.signIn('second@example.com');
  await expect(browser.client.identity.confirmSignInLink(second)).rejects.toMatchObject(gone);

  const third = await linkTo(browser, 'c@example.com');
  await browser.client.identity.signOut();
  browser.adopt(undefined);
  await expect(browser.client.identity.confirmSignInLink(third)).rejects.toMatchObject(gone);
  const { rows } = await product.app.deps.db.owner.query(
    `select email from "user" where email in ('a@example.com', 'b@example.com', 'c@example.com')`,
  );
  expect(rows).toEqual([]);
});

test('as many links go to an address in an hour as sign-in links, together with them', async () => {
  const browser = openBrowser(product);
  await browser.signIn('sender@example.com');
  const email = 'flooded@example.com';
  const sent = await Promise.allSettled(
    Array.from({ length: SIGN_IN_LINKS_PER_HOUR + 4 }, (_, index) =>
      index % 2
        ? browser.client.identity.changeEmail({ email })
        : openBrowser(product).client.identity.sendSignInLink({ email }),
    ),
  );
  expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(SIGN_IN_LINKS_PER_HOUR);
});
