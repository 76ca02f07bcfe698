import { expect, test } from '@playwright/test';
import { answers, ask, askWhole, field, region, startDesk, type Desk } from './desk.ts';

/** A conversation over connections that fail midway. */

let desk: Desk;

test.beforeAll(async () => {
  desk = await startDesk();
});
test.afterAll(() => desk.close());

const WORDS = Array.from({ length: 60 }, (_, index) => `word${index} `).join('');
/** Used to follow an answer in progress. */
const FOLLOWING = /\/v1\/chat\/cnv_[^/]+\/stream/;

test('an answer that can no longer be followed is not shown as pending forever', async ({ page }) => {
  await desk.begin(page);
  await askWhole(page, desk, 'Are you there?', 'Always');
  desk.say(WORDS, 150);
  await ask(page, 'Count for me');
  await expect(answers(page).last()).toContainText('word3');
  await page.route(FOLLOWING, (route) =>
    route.fulfill({ status: 404, json: { code: 'resource/not-found' } }),
  );
  await page.reload();
  await expect(page.getByText('The conversation could not be loaded.')).toBeVisible();
  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false');
  await page.unroute(FOLLOWING);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(answers(page).last()).toContainText('word59', { timeout: 20_000 });
  await expect(answers(page)).toHaveCount(2);
  await expect(region(page).getByText('Count for me')).toHaveCount(1);
});

test('a rate-limited reader resumes following the answer after a while, without an action', async ({
  page,
}) => {
  await desk.begin(page);
  desk.say(WORDS, 100);
  await ask(page, 'Count for me');
  await expect(answers(page).last()).toContainText('word3');
  let refusals = 0;
  await page.route(FOLLOWING, (route) =>
    (refusals += 1) > 2
      ? route.continue()
      : route.fulfill({ status: 429, json: { code: 'request/rate-limited' } }),
  );
  await page.reload();
  await expect(answers(page).last()).toContainText('word59', { timeout: 20_000 });
  await expect(answers(page)).toHaveCount(1);
  expect(refusals).toBeGreaterThan(2);
});

const file = { name: 'lamps.txt', mimeType: 'text/plain', buffer: Buffer.from('Lamps are bright.') };

test('a file chosen offline is listed, and is attached on retry', async ({ page, context }) => {
  await desk.begin(page);
  await askWhole(page, desk, 'Are you there?', 'Always');
  await context.setOffline(true);
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (await choosing).setFiles([file]);
  await expect(page.getByText('lamps.txt')).toBeVisible();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('progressbar')).toHaveCount(0, { timeout: 30_000 });
  desk.say('I have read it.');
  await ask(page, 'What is this?');
  await expect(answers(page)).toHaveCount(2);
  await expect(region(page).getByRole('button', { name: /lamps\.txt/ })).toBeVisible();
});

test('an edit or rating made offline is not reported as saved, and no text is lost', async ({
  page,
  context,
}) => {
  await desk.begin(page);
  await askWhole(page, desk, 'Are you there?', 'Always');
  await page.getByRole('button', { name: 'Bad answer' }).click();
  const why = page.getByRole('textbox', { name: 'Add a comment' });
  await why.fill('It says too little.');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Send feedback' }).click();
  await expect(page.getByText('The server could not be reached.')).toBeVisible();
  await expect(why).toHaveValue('It says too little.');
  const good = page.getByRole('button', { name: 'Good answer' });
  await good.click();
  await expect(good).toHaveAttribute('aria-pressed', 'false');
  await expect(page.getByRole('button', { name: 'Bad answer' })).toHaveAttribute('aria-pressed', 'true');

  await page.getByRole('textbox', { name: 'Message' }).press('ArrowUp');
  const editor = page.getByRole('textbox', { name: 'Edit the message' });
  await editor.fill('Are you still there?');
  await editor.press('Enter');
  await expect(page.getByText('The server could not be reached.')).toBeVisible();
  await expect(page.getByText('The conversation could not be loaded.')).toHaveCount(0);
  await expect(editor).toHaveValue('Are you still there?');
  await context.setOffline(false);
  desk.say('Still');
  await editor.press('Enter');
  await expect(editor).toHaveCount(0);
  await expect(answers(page).last()).toContainText('Still');
  await expect(region(page).getByText('Are you still there?')).toHaveCount(1);
});

test('the first message appears at once, even if the code for messages cannot be loaded offline', async ({
  page,
  context,
}) => {
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await desk.begin(page);
  await context.setOffline(true);
  await field(page).fill('Anybody?');
  await field(page).press('Enter');
  await expect(page.getByText('Anybody?')).toBeVisible();
  await expect(page.getByText('The server could not be reached.')).toBeVisible();
  await context.setOffline(false);
  desk.say('Here I am');
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(answers(page).last()).toContainText('Here I am');
  expect(faults).toEqual([]);
});

test('a dialog opened offline leaves the page as it is, and appears once the network is back', async ({
  page,
  context,
}) => {
  await desk.begin(page);
  await askWhole(page, desk, 'Are you there?', 'Always');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Actions for Are you there?' }).click();
  await page.getByRole('menuitem', { name: 'Share' }).click();
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Half a thought');
  await expect(answers(page)).toHaveCount(1);
  await context.setOffline(false);
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('a rename or restore that failed offline can be repeated with one click', async ({ page, context }) => {
  await desk.begin(page);
  await askWhole(page, desk, 'A lamp for the desk', 'Brass');
  await page.getByRole('button', { name: 'Actions for A lamp for the desk' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await context.setOffline(true);
  await page.getByRole('textbox', { name: 'Title' }).fill('Brass lamps');
  await page.keyboard.press('Enter');
  const again = page.getByRole('button', { name: 'Try again' });
  await again.hover();
  await context.setOffline(false);
  await again.click();
  await page.getByRole('button', { name: 'Actions for Brass lamps' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.hover();
  await context.setOffline(true);
  await undo.click();
  await again.hover();
  await context.setOffline(false);
  await again.click();
  await expect(page.getByRole('button', { name: 'Actions for Brass lamps' })).toBeVisible();
});

test('a part of a page that fails to load offline does not affect input next to it', async ({
  page,
  context,
}) => {
  await desk.owner.signIn(context);
  let isGone = false;
  await page.route('**/assets/*.js', async (route) => {
    const response = await route.fetch();
    if (isGone || !(await response.text()).includes('Create file')) return route.fulfill({ response });
    isGone = true;
    await context.setOffline(true);
    return route.abort();
  });
  await page.goto(`${desk.owner.base}/account/profile`);
  await expect.poll(() => isGone).toBe(true);
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await expect(page.getByText('The server could not be reached.')).toBeVisible();
  await expect(name).toHaveValue('Ada Lovelace');
  await context.setOffline(false);
  await expect(page.getByRole('button', { name: 'Create file' })).toBeVisible();
  await expect(name).toHaveValue('Ada Lovelace');
  await desk.owner.keepSession(context);
});
