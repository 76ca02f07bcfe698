import { expect, test } from '@playwright/test';
import { startOwner } from './owner.ts';
import { Server } from './server.ts';
import { linkOfMail, signIn } from './signing-in.ts';

let server: Server;
test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
});
test.afterAll(() => server.remove());

test('signing in by mail survives a pending session check', async ({ page, context }) => {
  const { signIn: bring } = await startOwner(server, 'eve');
  await bring(context);
  await page.goto(`${server.url}/auth`);
  // The response about the previous session arrives after the sign-in has ended that session.
  await context.route('**/identity/refresh', async (route) => {
    const response = await route.fetch();
    if (page.url().includes('email-verification')) await page.waitForTimeout(2000);
    await route.fulfill({ response });
  });
  await signIn(server, page, 'eve@example.com');
  await expect(page).toHaveURL(/\/platform/);
  await page.waitForTimeout(2500);
  await context.unroute('**/identity/refresh');
  await page.goto(`${server.url}/app/account`);
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
});

test('signing out survives a renewal in progress', async ({ page, context }) => {
  const { signIn: bring } = await startOwner(server, 'fay');
  await bring(context);
  await page.goto(`${server.url}/auth/signout`);
  const sure = page.getByRole('button', { name: 'Sign out' });
  await expect(sure).toBeVisible();
  // The response about the session arrives after the sign-out has ended it.
  await context.route('**/identity/refresh', async (route) => {
    const response = await route.fetch();
    await page.waitForTimeout(1500);
    await route.fulfill({ response });
  });
  const renewal = page.waitForRequest('**/identity/refresh');
  // As on a change of the session in another tab.
  await page.evaluate(() => dispatchEvent(new StorageEvent('storage', { key: 'parley.session-changed' })));
  await renewal;
  await sure.click();
  await expect(page).toHaveURL(`${server.url}/`);
  await page.waitForTimeout(2000);
  await expect(page.getByRole('button', { name: 'fay, account' })).toBeHidden();
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('auth-token');
});

test('a sign-in link opened in another browser says that it belongs to the one that requested it', async ({
  page,
  browser,
}) => {
  const email = 'two-devices@example.com';
  await page.goto(`${server.url}/auth`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send sign-in link' }).click();
  await expect(page.getByRole('heading', { name: 'No e-mail was sent' })).toBeVisible();
  const other = await browser.newContext();
  const phone = await other.newPage();
  await phone.goto(await linkOfMail(server, page.context(), email));
  await phone.getByLabel('E-mail').fill(email);
  await phone.getByRole('button', { name: 'Confirm' }).click();
  await expect(phone.getByRole('alert')).toContainText('only in the browser they were requested from');
  await phone.getByRole('link', { name: 'Get a new link' }).click();
  await expect(phone.getByRole('button', { name: 'Send sign-in link' })).toBeVisible();
  await other.close();
});
