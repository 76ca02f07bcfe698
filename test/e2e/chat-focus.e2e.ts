import { readFile } from 'node:fs/promises';
import { expect, test, type Page } from '@playwright/test';
import { answers, askWhole, attach, field, region, startDesk, type Desk } from './desk.ts';

/** Keyboard users in the chat continue where they were: after dialogs, within them, and in the list on a phone. */

let desk: Desk;
test.beforeAll(async () => {
  desk = await startDesk();
});
test.afterAll(() => desk.close());

const named = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const within = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true });
const actions = (page: Page) => named(page, 'Actions');

async function chooseAction(page: Page, name: string): Promise<void> {
  await actions(page).press('Enter');
  await page.getByRole('menuitem', { name, exact: true }).press('Enter');
  await expect(within(page, 'Close')).toBeFocused();
}

test('sharing by keyboard moves focus into the dialog and back to where it was opened', async ({ page }) => {
  await desk.begin(page);
  await askWhole(page, desk, 'Hello', 'Hello yourself.');
  await chooseAction(page, 'Share');
  await page.keyboard.press('Escape');
  await expect(actions(page)).toBeFocused();
  await chooseAction(page, 'Share');
  await within(page, 'Close').press('Enter');
  await expect(actions(page)).toBeFocused();

  await chooseAction(page, 'Share');
  const rows = page.getByRole('dialog').getByRole('listitem');
  for (const count of [1, 2, 3]) {
    await within(page, 'Create link').press('Enter');
    await expect(rows).toHaveCount(count);
    await expect(within(page, 'Create link')).toBeFocused();
  }
  const next = await rows.nth(2).getByRole('textbox').inputValue();
  await within(page, 'Revoke').nth(1).press('Enter');
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1).getByRole('textbox')).toBeFocused();
  await expect(rows.nth(1).getByRole('textbox')).toHaveValue(next);
  await within(page, 'Revoke').nth(1).press('Enter');
  await expect(rows.first().locator(':focus')).toBeVisible();
  await within(page, 'Revoke').press('Enter');
  await expect(within(page, 'Create link')).toBeFocused();

  // If the page starts with it.
  await page.reload();
  await expect(within(page, 'Close')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(actions(page)).toBeFocused();
});

test('opening a room by keyboard moves focus to the invite link, then into the room', async ({ page }) => {
  await desk.begin(page);
  await chooseAction(page, 'Open a room');
  await within(page, 'Create invite link').press('Enter');
  const address = page.getByRole('textbox', { name: 'Anyone with the link' });
  await expect(address).toBeFocused();
  await within(page, 'Revoke').press('Enter');
  await expect(within(page, 'Create invite link')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(named(page, '1 person')).toBeFocused();
  await page.keyboard.press('Enter');
  await within(page, 'Close').press('Enter');
  await expect(named(page, '1 person')).toBeFocused();
  await expect(field(page)).toBeVisible();
});

test('on a phone the list of conversations takes focus and returns it', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await desk.begin(page);
  const opener = named(page, 'Conversations');
  for (const keys of [[], ['Tab']]) {
    await opener.press('Enter');
    await expect(page.getByRole('link', { name: 'Parley', exact: true })).toBeFocused();
    for (const key of [...keys, 'Escape']) await page.keyboard.press(key);
    await expect(opener).toBeFocused();
  }
});

test('a picture in a message can be enlarged and saved, and Escape and Back close it', async ({ page }) => {
  await desk.begin(page);
  await attach(page, [
    {
      name: 'astronaut.jpg',
      mimeType: 'image/jpeg',
      buffer: await readFile('test/fixtures/astronaut.jpg'),
    },
  ]);
  await expect(page.getByRole('progressbar')).toBeHidden();
  await askWhole(page, desk, 'Who is that?', 'An astronaut');
  const address = page.url();
  const opener = region(page).getByRole('button', { name: 'astronaut.jpg' });
  const dialog = page.getByRole('dialog', { name: 'astronaut.jpg' });
  // Until its bytes are loaded it is a downloadable file.
  await expect(opener.getByRole('img', { name: 'astronaut.jpg' })).toBeVisible();
  await opener.click();
  await expect(dialog.getByRole('img', { name: 'astronaut.jpg' })).toBeVisible();
  const saving = page.waitForEvent('download');
  await dialog.getByRole('link', { name: 'Save astronaut.jpg' }).click();
  expect((await saving).suggestedFilename()).toMatch(/^astronaut/);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await expect(page).toHaveURL(address);
  await opener.click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  await expect(answers(page).last()).toContainText('An astronaut');
});

test('in a room a screen reader announces what others say, as they wrote it and once', async ({
  page,
  browser,
}) => {
  await desk.begin(page);
  await chooseAction(page, 'Open a room');
  await within(page, 'Create invite link').press('Enter');
  const invite = await page.getByRole('textbox', { name: 'Anyone with the link' }).inputValue();
  await page.keyboard.press('Escape');
  const guest = await (await browser.newContext()).newPage();
  await guest.goto(invite);
  await guest.getByRole('textbox', { name: 'Your name' }).fill('Grace');
  await guest.getByRole('button', { name: 'Join' }).click();
  const spoken = (tab: Page) => tab.locator('[aria-live][aria-atomic]').filter({ hasText: /\S/ });
  await field(guest).fill('Order #12 is ~ 5 * 3 > [1] in my_list');
  await guest.keyboard.press('Enter');
  await expect(spoken(page)).toHaveText('Grace: Order #12 is ~ 5 * 3 > [1] in my_list');
  await expect(region(guest).getByText('Order #12')).toBeVisible();
  await expect(spoken(guest)).toHaveCount(0);
  // What is already there is read on demand.
  await page.reload();
  await expect(region(page).getByText('Order #12')).toBeVisible();
  await expect(spoken(page)).toHaveCount(0);
  await guest.context().close();
});
