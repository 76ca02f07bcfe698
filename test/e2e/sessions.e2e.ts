import { expect, test } from '@playwright/test';
import { startOwner } from './owner.ts';
import { Server } from './server.ts';
import { linkOfMail, signIn, signInElsewhere, signOut } from './signing-in.ts';

/**
 * The signed-in person changes while pages are open: nothing of the previous one stays, and a returning one is back
 * where they were.
 */

let server: Server;
test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
});
test.afterAll(() => server.remove());

test('signing out in another tab hides a conversation, which reappears on signing in', async ({
  page,
  context,
}) => {
  const { agentId, signIn: bring } = await startOwner(server, 'ada');
  await bring(context);
  await page.goto(`${server.url}/chat/${agentId}`);
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('What did the doctor say?');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Regenerate' })).toBeVisible();
  const place = page.url();
  expect(place).toMatch(/cnv_\w+$/);
  await signOut(server, context);
  await expect(page.getByText('What did the doctor say?')).toHaveCount(0);
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await signIn(server, page, 'ada@example.com');
  await expect(page).toHaveURL(place);
});

test('an upload in progress when the session ends is reported as failed, and completed after signing in again', async ({
  page,
  context,
}) => {
  const { client, agentId, signIn: bring } = await startOwner(server, 'gus');
  const { conversation } = await client.chat.create({ chatbotId: agentId, title: 'Plans' });
  await bring(context);
  await page.goto(`${server.url}/auth`);
  await signIn(server, page, 'gus@example.com');
  await expect(page).toHaveURL(/\/platform/);
  await page.goto(`${server.url}/chat/${conversation.id}`);
  const field = page.getByRole('textbox', { name: 'Message', exact: true });
  await field.fill('What is in it?');
  const files = page.getByRole('list', { name: 'Files' });
  const choose = async () => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach files' }).click();
    const file = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('Saw the boards.') };
    await (await chooser).setFiles([file]);
  };
  // It never arrives.
  await page.route('**/attachment', () => undefined);
  await choose();
  await expect(page.getByRole('progressbar', { name: /plan.txt/ })).toBeVisible();
  await signOut(server, context);
  await expect(page.getByRole('main').getByRole('link', { name: 'Sign in' }).first()).toBeVisible();
  await signInElsewhere(server, context, 'gus@example.com');
  await expect(files).toContainText('Not uploaded');
  await expect(field).toHaveValue('What is in it?');
  await page.unroute('**/attachment');
  await files.getByRole('button', { name: 'Try again' }).click();
  await expect(files).toContainText('15 bytes');
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();

  // A reloaded page no longer has the file, and says so. Chosen again, it takes its former place.
  await page.getByRole('button', { name: 'Remove plan.txt' }).click();
  await page.route('**/attachment', () => undefined);
  await choose();
  await expect(page.getByRole('progressbar', { name: /plan.txt/ })).toBeVisible();
  await page.reload();
  await expect(files).toContainText('Not uploaded');
  await expect(files.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await choose();
  await expect(files.getByRole('listitem')).toHaveCount(1);
  await expect(page.getByRole('progressbar', { name: /plan.txt/ })).toBeVisible();
  await page.reload();
  await page.unroute('**/attachment');
  const chooser = page.waitForEvent('filechooser');
  await files.getByRole('button', { name: 'Choose again: plan.txt' }).press('Enter');
  const other = { name: 'drawing.txt', mimeType: 'text/plain', buffer: Buffer.from('Saw the planks.') };
  await (await chooser).setFiles([other]);
  await expect(files.getByRole('listitem')).toHaveCount(1);
  await expect(files).toContainText('drawing.txt');
  await expect(field).toBeFocused();
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
});

test('an attached file does not turn a signed-out person on an agent’s public page into somebody else', async ({
  page,
  context,
}) => {
  const { client, organizationId, agentId, signIn: bring } = await startOwner(server, 'ivy');
  await client.chatbot.update({ id: agentId, organizationId, isPublic: true });
  await bring(context);
  await page.goto(`${server.url}/auth`);
  await signIn(server, page, 'ivy@example.com');
  await expect(page).toHaveURL(/\/platform/);
  await page.goto(`${server.url}/chat/${agentId}`);
  const field = page.getByRole('textbox', { name: 'Message', exact: true });
  await field.fill('What is in it?');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (await chooser).setFiles([{ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('Saw.') }]);
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
  await signOut(server, context);
  const files = page.getByRole('list', { name: 'Files' });
  const again = files.getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  await signInElsewhere(server, context, 'ivy@example.com');
  await expect(page.getByRole('button', { name: /, account$/ })).toBeVisible();
  await again.click();
  await expect(again).toBeHidden();
  await expect(field).toHaveValue('What is in it?');
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
});

test('an invalid session ends in plain words, and the message being sent reappears on signing in', async ({
  page,
  context,
}) => {
  const { client, agentId, signIn: bring } = await startOwner(server, 'hal');
  const { conversation } = await client.chat.create({ chatbotId: agentId, title: 'Lamps' });
  await bring(context);
  await page.goto(`${server.url}/chat/${conversation.id}`);
  const field = page.getByRole('textbox', { name: 'Message', exact: true });
  await field.fill('Which lamp burns longest?');
  const refused = { type: 'about:blank', title: 'No', status: 401, requestId: 'req' };
  await page.route('**/v1/**', (route) =>
    route.fulfill({
      status: 401,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        ...refused,
        code: 'auth/unauthenticated',
        detail: 'The bearer token is not valid.',
      }),
    }),
  );
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('You are signed out');
  await expect(page.getByText('bearer')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /, account$/ })).toHaveCount(0);
  await page.unroute('**/v1/**');
  await page.getByRole('alert').getByRole('button', { name: 'Sign in' }).click();
  await signIn(server, page, 'hal@example.com');
  await expect(page).toHaveURL(`${server.url}/chat/${conversation.id}`);
  const unsent = page.getByRole('listitem').filter({ hasText: 'Which lamp burns longest?' });
  const again = unsent.getByRole('button', { name: 'Send again' });
  const answered = page.getByRole('button', { name: 'Regenerate' });
  // A request still in progress when the session returned has completed by itself.
  await expect(again.or(answered).first()).toBeVisible();
  if (await again.isVisible()) await again.click();
  await expect(answered).toBeVisible();
  await expect(unsent).toHaveCount(1);
});

test('a page that needs a sign-in says that the session ended, and is returned to', async ({
  page,
  context,
}) => {
  await page.goto(`${server.url}/app/membership`);
  await expect(page).toHaveURL(/\/auth\?signup=true$/);
  await signIn(server, page, 'bob@example.com');
  await page.getByLabel('Name', { exact: true }).fill('Bob');
  await page.getByLabel('Username').fill('bob1234');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(/\/onboarding$/);
  await page.goto(`${server.url}/app/membership`);
  await expect(page.getByRole('heading', { name: 'Membership' })).toBeVisible();
  await signOut(server, context);
  await expect(page).toHaveURL(/\/auth\?signup=true$/);
  await expect(page.getByText('You are signed out')).toBeVisible();
  await expect(page.getByText('That did not work')).toHaveCount(0);
  await signIn(server, page, 'bob@example.com');
  await expect(page).toHaveURL(`${server.url}/app/membership`);
});

test('signing out leaves no drafts to the next person', async ({ page, context }) => {
  const { client, organizationId, agentId, signIn: bring } = await startOwner(server, 'cleo');
  await client.chatbot.update({ id: agentId, organizationId, isPublic: true });
  await bring(context);
  const field = page.getByRole('textbox', { name: 'Message', exact: true });
  await page.goto(`${server.url}/chat/${agentId}`);
  await field.fill('I want to hand in my notice.');
  await page.reload();
  await expect(field).toHaveValue('I want to hand in my notice.');
  await page.goto(`${server.url}/auth/signout`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(`${server.url}/`);
  await page.goto(`${server.url}/chat/${agentId}`);
  await expect(field).toHaveValue('');
});

test('unsaved form input survives the end of a session, for the same person only', async ({
  page,
  context,
}) => {
  const { agentBase, signIn: bring } = await startOwner(server, 'dora');
  await bring(context);
  await page.goto(`${server.url}/auth`);
  await signIn(server, page, 'dora@example.com');
  await expect(page).toHaveURL(/\/platform/);
  await page.goto(`${agentBase}/settings/instructions`);
  const instructions = page.getByRole('textbox', { name: 'Instructions', exact: true });
  await instructions.fill('Be brief, and never mention the weather.');
  await signOut(server, context);
  await expect(page).toHaveURL(/\/auth\?signup=true$/);

  // The emailed link opens in its own tab; this one continues with it.
  await page.getByLabel('E-mail').fill('dora@example.com');
  await page.getByRole('button', { name: 'Send sign-in link' }).click();
  await expect(page.getByRole('heading', { name: 'No e-mail was sent' })).toBeVisible();
  const tab = await context.newPage();
  await tab.goto(await linkOfMail(server, context, 'dora@example.com'));
  await expect(page).toHaveURL(`${agentBase}/settings/instructions`);
  await expect(instructions).toHaveValue('Be brief, and never mention the weather.');
  await expect(page.getByText('Your draft was restored')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved').first()).toBeVisible();

  await instructions.fill('A secret of Dora.');
  await signOut(server, context);
  const other = await startOwner(server, 'emil');
  await other.signIn(context);
  await page.goto(`${other.agentBase}/settings/instructions`);
  await expect(instructions).toHaveValue('');
});
