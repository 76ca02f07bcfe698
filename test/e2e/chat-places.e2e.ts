import { expect, test, type Page } from '@playwright/test';
import { Server } from './server.ts';
import { startOwner, type Owner } from './owner.ts';

/** Going from one conversation to another and back, and which drafts survive. */

const ANSWER = 'I only know about lamps.';

let server: Server;
let owner: Owner;
let handle: string;

test.beforeAll(async () => {
  // All guests here share one address.
  server = await Server.start({ SEED_DEMO: 'off', GUEST_CONVERSATIONS_PER_HOUR: '1000' });
  owner = await startOwner(server);
  const { agentId: id, organizationId, client } = owner;
  const shown = { isPublic: true, fallbackMessage: ANSWER, enableKnowledgeBaseMode: true };
  const { chatbot } = await client.chatbot.update({
    id,
    organizationId,
    ...shown,
    welcomeMessage: 'What is it?',
  });
  await client.version.publish({ id, organizationId, number: chatbot.version });
  handle = chatbot.handle;
});
test.afterAll(() => server.remove());

const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const region = (page: Page) => page.getByRole('region', { name: 'Conversation' });
const inList = (page: Page, title: string) => page.getByRole('link', { name: new RegExp(title) });

/** By handle, like a link on a site. */
async function begin(page: Page, question: string): Promise<void> {
  await page.goto(`${server.url}/chat/${handle}`);
  await ask(page, question);
}

async function ask(page: Page, question: string): Promise<void> {
  const again = page.getByRole('button', { name: 'Regenerate', includeHidden: true });
  await field(page).fill(question);
  await field(page).press('Enter');
  await expect(region(page).getByText(question)).toBeVisible();
  await expect(again.last()).toBeAttached();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden();
}

test('a conversation begun here reappears on return, and a new one starts empty', async ({ page }) => {
  await begin(page, 'First of all');
  await page.getByRole('link', { name: 'New conversation' }).click();
  await expect(page.getByText('What is it?')).toBeVisible();
  await expect(region(page)).toBeHidden();
  await ask(page, 'Something else');
  await inList(page, 'First of all').click();
  await expect(region(page).getByText('First of all')).toBeVisible();
  await inList(page, 'Something else').click();
  await expect(region(page).getByText('Something else')).toBeVisible();
  await page.goBack();
  await expect(region(page).getByText('First of all')).toBeVisible();
  await page.goForward();
  await expect(region(page).getByText(ANSWER)).toBeVisible();
});

test('two tabs that begin at the same moment belong to one new guest', async ({ page, context }) => {
  const other = await context.newPage();
  // Both know that nobody is signed in before either of them asks.
  for (const tab of [page, other]) {
    await tab.goto(`${server.url}/chat/${handle}`);
    await field(tab).fill(tab === page ? 'First of all' : 'Second of all');
  }
  await Promise.all([field(page).press('Enter'), field(other).press('Enter')]);
  await expect(region(page).getByText(ANSWER)).toBeVisible();
  await expect(region(other).getByText(ANSWER)).toBeVisible();
  await page.reload();
  await expect(inList(page, 'First of all')).toBeVisible();
  await expect(inList(page, 'Second of all')).toBeVisible();
});

test('deleting a conversation leaves it, and going back does not reopen it', async ({ page }) => {
  await begin(page, 'Not for long');
  await page.getByRole('button', { name: 'Actions for Not for long' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page).toHaveURL(`${server.url}/chat`);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'This conversation' })).toBeVisible();
  await expect(field(page)).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(region(page).getByText(ANSWER)).toBeVisible();
});

test('the list of conversations can be used in a window enlarged to 400 %', async ({ page }) => {
  for (const question of ['The oldest', 'An older one', 'The newest']) await begin(page, question);
  // Of 1280 by 1024.
  await page.setViewportSize({ width: 320, height: 256 });
  await page.getByRole('button', { name: 'Conversations' }).click();
  await inList(page, 'The oldest').click();
  await expect(region(page).getByText('The oldest')).toBeVisible();
  await page.goto(`${server.url}/chat`);
  await inList(page, 'An older one').click();
  await expect(region(page).getByText('An older one')).toBeVisible();
});

test('a title is saved by clicking elsewhere, and what is written there next stays there', async ({
  page,
}) => {
  await begin(page, 'To be renamed');
  await page.getByRole('button', { name: 'Actions for To be renamed' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.keyboard.type('Renamed');
  await field(page).click();
  await expect(inList(page, 'Renamed')).toBeVisible();
  await page.keyboard.type('And on Sundays?');
  await expect(field(page)).toHaveValue('And on Sundays?');
});

test('leaving a room closes it, and going back does not reopen it', async ({ page, browser }) => {
  await begin(page, 'Before the room');
  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Open a room' }).click();
  await page.getByRole('button', { name: 'Create invite link' }).click();
  const invite = await page.getByRole('textbox', { name: 'Anyone with the link' }).inputValue();
  await page.keyboard.press('Escape');
  const guest = await (await browser.newContext()).newPage();
  await guest.goto(invite);
  await guest.getByRole('button', { name: 'Join' }).click();
  await field(guest).fill('I only look in');
  await guest.keyboard.press('Enter');
  await expect(region(page).getByText('I only look in')).toBeVisible();
  await guest.getByRole('button', { name: '2 people' }).click();
  await guest.getByRole('button', { name: 'Leave room' }).click();
  await expect(guest).toHaveURL(`${server.url}/chat`);
  await expect(page.getByRole('button', { name: '1 person' })).toBeVisible();
  await guest.goBack();
  await expect(guest.getByRole('heading', { name: 'This conversation' })).toBeVisible();
  await expect(guest.getByRole('dialog')).toBeHidden();
  await expect(field(guest)).toBeHidden();
  await guest.context().close();
});

test('a conversation deleted in one tab closes in the others, and returns to them on undo', async ({
  page,
  context,
}) => {
  await begin(page, 'In two tabs');
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(region(other).getByText(ANSWER)).toBeVisible();
  await other.getByRole('button', { name: 'Actions for In two tabs' }).click();
  await other.getByRole('menuitem', { name: 'Delete' }).click();
  // In the tab where it was begun, then in one where it was opened.
  await expect(
    page.getByRole('heading', { name: 'This conversation is no longer available.' }),
  ).toBeVisible();
  await expect(field(page)).toBeHidden();
  await other.getByRole('button', { name: 'Undo' }).click();
  await expect(region(page).getByText(ANSWER)).toBeVisible();
  await inList(other, 'In two tabs').click();
  await expect(region(other).getByText(ANSWER)).toBeVisible();
  await page.getByRole('button', { name: 'Actions for In two tabs' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(
    other.getByRole('heading', { name: 'This conversation is no longer available.' }),
  ).toBeVisible();
});

test('a member’s reply is marked in the list of conversations until it is read', async ({ page }) => {
  await begin(page, 'Is it new?');
  const id = /cnv_\w+/.exec(page.url())?.[0] ?? '';
  await page.getByRole('link', { name: 'New conversation' }).click();
  await owner.client.inbox.write({ id, text: 'Quite new.' });
  const entry = inList(page, 'Is it new');
  await expect(entry).toHaveAccessibleName(/New reply/);
  await entry.click();
  await expect(region(page)).toContainText('Quite new.');
  await page.getByRole('link', { name: 'New conversation' }).click();
  await expect(entry).not.toHaveAccessibleName(/New reply/);
});

test('a draft in a conversation begun here is kept with it', async ({ page }) => {
  await begin(page, 'Take a note');
  await field(page).fill('Half a thought');
  await page.reload();
  await expect(field(page)).toHaveValue('Half a thought');
  await page.getByRole('link', { name: 'New conversation' }).click();
  await expect(page.getByText('What is it?')).toBeVisible();
  await expect(field(page)).toHaveValue('');
});

test('a message entered before the conversation has loaded is sent then, unless it was changed', async ({
  page,
}) => {
  await begin(page, 'Who are you?');
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const messages = /\/v1\/chat\/cnv_\w+\/message\?/;
  await page.route(messages, (route) => held.then(() => route.continue()));
  await page.reload();
  await field(page).fill('Are you op');
  await page.keyboard.press('Enter');
  await field(page).fill('Are you open?');
  await page.keyboard.press('Enter');
  await expect(field(page)).toHaveValue('Are you open?');
  letGo();
  await expect(region(page).getByText(ANSWER)).toHaveCount(2);
  await expect(field(page)).toHaveValue('');
  await expect(region(page).getByText('Are you op', { exact: false })).toHaveCount(1);
  await page.unroute(messages);
  await page.reload();
  await expect(region(page).getByText(ANSWER)).toHaveCount(2);
});

test('writing works offline, and an undelivered message outlasts delivered ones', async ({
  page,
  context,
}) => {
  await begin(page, 'Before');
  await context.setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await expect(field(page)).toBeInViewport({ ratio: 1 });
  await field(page).fill('Into the void');
  await field(page).press('Enter');
  await expect(page.getByRole('button', { name: 'Send again' })).toBeVisible();
  await context.setOffline(false);
  await ask(page, 'Another matter');
  await expect(region(page).getByText('Into the void')).toBeVisible();
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(region(page).getByText(ANSWER)).toHaveCount(3);
  await expect(page.getByRole('button', { name: 'Send again' })).toBeHidden();
});

test('dragging a file over the chat and away again leaves nothing behind', async ({ page }) => {
  await begin(page, 'Take this');
  const drag = (type: string) =>
    region(page).evaluate((element, name) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['a'], 'a.txt'));
      element.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer }));
    }, type);
  await drag('dragover');
  await expect(page.locator('[data-drop]')).toBeVisible();
  await drag('dragleave');
  await expect(page.locator('[data-drop]')).toBeHidden();
});

test('each paragraph has the direction of its own language', async ({ page }) => {
  await begin(page, 'مرحبا بالعالم');
  const said = region(page).getByText('مرحبا بالعالم');
  expect(await said.evaluate((each) => getComputedStyle(each).unicodeBidi)).toBe('plaintext');
});

test('an overlong text shows its beginning, even when read from right to left', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await begin(page, 'مساعد المكتبة العربية الطويلة جدا جدا جدا جدا جدا');
  const title = page.getByText('مساعد المكتبة').and(page.locator('p:not(li p)'));
  const places = await title.evaluate((each) => {
    const first = document.createRange();
    first.setStart(each.firstChild as Node, 0);
    first.setEnd(each.firstChild as Node, 1);
    const [letter, box] = [first.getBoundingClientRect(), each.getBoundingClientRect()];
    return {
      isCut: each.scrollWidth > each.clientWidth,
      past: letter.right - box.right,
      before: box.left - letter.left,
    };
  });
  expect(places.isCut).toBe(true);
  expect(Math.max(places.past, places.before)).toBeLessThan(1);
});

test('an answer can be copied even on a page served over plain http', async ({ page }) => {
  // As in browsers there.
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'clipboard'));
  await begin(page, 'What can I take along?');
  const copy = page.getByRole('button', { name: 'Copy', exact: true }).last();
  await copy.click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeFocused();
  await field(page).press('ControlOrMeta+v');
  await expect(field(page)).toHaveValue(ANSWER);
});
