import { expect, test } from '@playwright/test';
import { expectNothingGrave } from './nothing-grave.ts';
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

test('someone changes the address they sign in with, and both tabs show the new one', async ({
  page,
  context,
}) => {
  await page.goto(`${server.url}/auth`);
  await signIn(server, page, 'before@example.com');
  await expect(page).toHaveURL(/\/auth\/register/);
  await page.goto(`${server.url}/app/account`);
  await page.getByRole('button', { name: 'Change e-mail address' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill('after@example');
  await dialog.getByRole('button', { name: 'Send link' }).click();
  await expect(dialog.getByText('E-mail is not valid.')).toBeVisible();
  await dialog.getByLabel('E-mail').fill('after@example.com');
  await expectNothingGrave(page, { picture: (look) => test.info().outputPath(`change-${look}.png`) });
  await dialog.getByRole('button', { name: 'Send link' }).click();
  await expect(dialog.getByRole('link', { name: 'Open the inbox' })).toBeVisible();
  await expectNothingGrave(page, { picture: (look) => test.info().outputPath(`sent-${look}.png`) });
  const tab = await context.newPage();
  await tab.goto(await linkOfMail(server, context, 'after@example.com'));
  await expect(tab).toHaveURL(`${server.url}/app/account`);
  for (const each of [tab, page])
    await expect(each.getByText('after@example.com (your only way to sign in)')).toBeVisible();
  await expect(dialog).toBeHidden();
});
