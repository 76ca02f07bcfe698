import { expect, test, type Page } from '@playwright/test';
import { expectSound } from './nothing-grave.ts';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** People who only chat: their identity, signing in and out, and what a link shows them first. */

let server: Server;
let ada: Owner;

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
  ada = await startOwner(server);
});
test.afterAll(() => server.remove());

const account = (page: Page, name: string) => page.getByRole('button', { name: `${name}, account` });

/** From a page that requests it. */
async function signInByMail(page: Page, email: string): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).first().click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send sign-in link' }).click();
  await expect(page.getByRole('heading', { name: 'No e-mail was sent' })).toBeVisible();
  const inbox = await page.context().newPage();
  await inbox.goto(`${server.url}/dev/inbox`);
  const mail = inbox.locator('article', { hasText: `To ${email}` }).first();
  const link = await mail.getByRole('link', { name: 'email-verification' }).first().getAttribute('href');
  await inbox.close();
  await page.goto(link ?? '');
}

test('a person signed in by mail alone is shown as signed in, has a profile, and signs out', async ({
  page,
}) => {
  await page.goto(`${server.url}/chat`);
  await expect(page.getByRole('heading', { name: 'You are not signed in' })).toBeVisible();
  await expectSound(page, 'conversations of nobody');
  await signInByMail(page, 'fay@example.com');
  await expect(page).toHaveURL(`${server.url}/chat`);
  const name = 'fay';
  await account(page, name).press('Enter');
  await expect(page.getByRole('menuitem')).toHaveText(['Profile', 'Sign out']);
  await expectSound(page, 'the account in the chat');

  await page.goto(server.url);
  await expect(page.getByRole('link', { name: 'Sign in' })).toHaveCount(0);
  await expectSound(page, 'the front page');
  await account(page, name).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await expect(page).toHaveURL(`${server.url}/app/account`);
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill('Fay Weldon');
  await page.getByLabel('Username').fill('fay-weldon');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await expect(page.getByText('Saved')).toBeVisible();

  // Members' features start with completing the profile; no second email is requested.
  await page.goto(`${server.url}/app/membership`);
  await expect(page.getByRole('heading', { name: 'Complete your profile' })).toBeVisible();

  await page.goto(`${server.url}/chat`);
  await account(page, 'Fay Weldon').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
  await page.goto(`${server.url}/app/account`);
  await expect(page).toHaveURL(/\/auth\?signup=true$/);
});

test('a member can get from the chat to the agents', async ({ page, context }) => {
  await ada.signIn(context);
  await page.goto(`${server.url}/chat`);
  await account(page, 'ada').click();
  await page.getByRole('menuitem', { name: 'Agents' }).click();
  await expect(page).toHaveURL(/\/platform\/org_\w+\/agent$/);
  await ada.keepSession(context);
});

test('a members-only link asks a signed-out person to sign in, then opens', async ({ page, context }) => {
  const { conversation } = await ada.client.chat.create({ chatbotId: ada.agentId, title: 'Our plans' });
  const { link } = await ada.client.chatLink.create({
    id: conversation.id,
    kind: 'read',
    audience: 'organization',
  });
  const address = `${server.url}/chat/${link.token}`;
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'This link is not valid.' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Go to the front page' })).toBeVisible();
  await expectSound(page, 'a link that is not open to everybody');
  await signInByMail(page, 'gil@example.com');
  await expect(page).toHaveURL(address);
  await expect(page.getByRole('link', { name: 'Go to the front page' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign in' })).toHaveCount(0);
  await context.clearCookies();
  await ada.signIn(context);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Our plans' })).toBeVisible();
  await ada.keepSession(context);
});

test('the list shows the time of the last message, however long the agent’s name', async ({
  page,
  context,
}) => {
  const { organizationId } = ada;
  const name = 'The very long name of an agent that answers questions about lamps and lanterns';
  const { chatbot } = await ada.client.chatbot.create({ organizationId, name });
  await ada.client.chat.create({ chatbotId: chatbot.id, title: 'Lamps' });
  await ada.signIn(context);
  await page.goto(`${server.url}/chat`);
  const entry = page.getByRole('listitem').filter({ hasText: 'Lamps' });
  const time = entry.getByRole('time');
  const isCut = () =>
    entry.evaluate((item) => {
      const box = item.querySelector('time')?.getBoundingClientRect();
      return !box || box.width === 0 || box.right > item.getBoundingClientRect().right;
    });
  await expect(time).toBeVisible();
  expect(await isCut()).toBe(false);
  // The actions appear beside it, not over it.
  await entry.hover();
  const menu = await entry.getByRole('button', { name: 'Actions for Lamps' }).boundingBox();
  const shown = await time.boundingBox();
  expect((shown?.x ?? 0) + (shown?.width ?? 0)).toBeLessThanOrEqual(menu?.x ?? 0);
  await ada.keepSession(context);
});

test('a guest gives their name when joining a room, and an empty room explains how to use it', async ({
  page,
  context,
}) => {
  const { conversation } = await ada.client.chat.create({ chatbotId: ada.agentId, kind: 'game' });
  const { link } = await ada.client.chatLink.create({
    id: conversation.id,
    kind: 'join',
    audience: 'anybody',
  });
  await page.goto(`${server.url}/chat/${link.token}?join=true`);
  await page.getByLabel('Your name').fill('Hedy Lamarr');
  await expectSound(page, 'the question before a room');
  await page.getByRole('button', { name: 'Join' }).click();
  await expect(page.getByText('Choose “Ask Helper” above the field')).toBeVisible();
  await expectSound(page, 'an empty room');
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Good evening');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: '2 people' }).click();
  await expect(page.getByRole('dialog').getByText('Hedy Lamarr')).toBeVisible();

  // For the opener as well, and for the guest in the next room.
  const { people } = await ada.client.room.people({ id: conversation.id });
  expect(people.map(({ name }) => name).toSorted()).toEqual(['Hedy Lamarr', 'ada']);
  await page.goto(`${server.url}/chat/${link.token}?join=true`);
  await expect(page.getByLabel('Your name')).toHaveValue('Hedy Lamarr');
  await context.clearCookies();
});

test('a double click creates one link', async ({ page, context }) => {
  const { conversation } = await ada.client.chat.create({ chatbotId: ada.agentId, title: 'To be shown' });
  await ada.signIn(context);
  await page.goto(`${server.url}/chat/${conversation.id}`);
  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Create link' }).evaluate((button) => {
    if (!(button instanceof HTMLElement)) return;
    button.click();
    button.click();
  });
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible();
  expect((await ada.client.chatLink.list({ id: conversation.id })).links).toHaveLength(1);
  await ada.keepSession(context);
});
