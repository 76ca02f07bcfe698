import { readFile } from 'node:fs/promises';
import { expect, test, type Page, type Route } from '@playwright/test';
import {
  allScripts,
  answers,
  ask,
  askWhole,
  attach,
  field,
  openRoom,
  region,
  startDesk,
  type Desk,
} from './desk.ts';

/** What people write and attach: nothing of it is lost, and what isn't possible is reported. */

let desk: Desk;

test.beforeAll(async () => {
  desk = await startDesk();
});
test.afterAll(() => desk.close());

const note = (name: string, text = 'Some words.') => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
});
const picture = async (name: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await readFile('test/fixtures/astronaut.jpg'),
});
const listed = (page: Page) => page.getByRole('button', { name: /^Actions for / });

/** As programs put it on the clipboard: text, and a picture of it. */
async function paste(page: Page, text: string, fileName: string): Promise<void> {
  await field(page).evaluate(
    (element, [said, name]) => {
      const clipboardData = new DataTransfer();
      if (said) clipboardData.setData('text/plain', said);
      clipboardData.items.add(new File(['a'], name ?? '', { type: 'image/png' }));
      const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData });
      // The browser's default action for an unhandled event.
      if (element.dispatchEvent(event)) document.execCommand('insertText', false, said);
    },
    [text, fileName] as const,
  );
}

test('content copied from a spreadsheet is pasted as text, and pictures and files as files', async ({
  page,
}) => {
  await desk.begin(page);
  await paste(page, 'Lamps\t43\nBulbs\t2', 'image.png');
  await expect(field(page)).toHaveValue('Lamps\t43\nBulbs\t2');
  await expect(page.getByRole('list', { name: 'Files' })).toBeHidden();
  await paste(page, '', 'image.png');
  await expect(page.getByRole('button', { name: 'Remove image.png' })).toBeVisible();
  // File managers add the name to the file.
  await paste(page, '/home/ada/plan.png', 'plan.png');
  await expect(page.getByRole('button', { name: 'Remove plan.png' })).toBeVisible();
  await expect(field(page)).toHaveValue('Lamps\t43\nBulbs\t2');
});

test('an unsent message survives a reload and a switch of conversation, and is sent once', async ({
  page,
  context,
}) => {
  await desk.begin(page);
  await askWhole(page, desk, 'Yes', 'Gladly');
  const address = page.url();
  await context.setOffline(true);
  await ask(page, 'Yes');
  await expect(page.getByRole('button', { name: 'Send again' })).toBeVisible();
  await context.setOffline(false);
  await page.reload();
  await expect(region(page).getByText('Yes', { exact: true })).toHaveCount(2);
  await expect(page.getByText('Not sent.')).toBeVisible();
  await page.getByRole('link', { name: 'New conversation' }).click();
  await expect(page.getByText('Not sent.')).toBeHidden();
  await page.goto(address);
  desk.say('Heard it');
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(answers(page).last()).toContainText('Heard it');
  await page.reload();
  await expect(answers(page)).toHaveCount(2);
  await expect(region(page).getByText('Yes', { exact: true })).toHaveCount(2);
  await expect(page.getByText('Not sent.')).toBeHidden();
});

test('an unsent first message can begin its conversation later, or be discarded', async ({
  page,
  context,
}) => {
  await desk.begin(page);
  // The message list loads while the message is being written.
  await field(page).fill('Any');
  await allScripts(page);
  await context.setOffline(true);
  await ask(page, 'Anybody?');
  await ask(page, 'Nobody');
  await expect(page.getByRole('button', { name: 'Send again' })).toHaveCount(2);
  await context.setOffline(false);
  await page.reload();
  await page.getByRole('button', { name: 'Discard' }).last().click();
  await expect(field(page)).toBeFocused();
  desk.say('Here I am');
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(answers(page).last()).toContainText('Here I am');
  await expect(page).toHaveURL(/cnv_/);
  await page.getByRole('link', { name: 'New conversation' }).click();
  await expect(page.getByRole('heading', { name: 'Helper', level: 2 })).toBeVisible();
  await expect(region(page)).toBeHidden();
});

test('choosing a file begins nothing: the chat can still be temporary, and leaving leaves nothing behind', async ({
  page,
}) => {
  await desk.begin(page);
  await attach(page, [note('notes.txt')]);
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Temporary chat' })).toBeVisible();
  await page.reload();
  await expect(page.getByText('No conversations yet.')).toBeVisible();
  await attach(page, [note('notes.txt')]);
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await page.getByRole('button', { name: 'Temporary chat' }).click();
  await askWhole(page, desk, 'What does it say?', 'Some words');
  await page.reload();
  await expect(page.getByText('Temporary chat: it is not listed')).toBeVisible();
  await expect(page.getByText('No conversations yet.')).toBeVisible();

  await desk.begin(page);
  await attach(page, [note('notes.txt')]);
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await askWhole(page, desk, 'And now?', 'The same words');
  await expect(listed(page)).toHaveCount(1);
  await page.reload();
  await expect(page.getByRole('button', { name: /notes\.txt/ })).toBeVisible();
  await expect(listed(page)).toHaveCount(1);
});

test('each rejected file is named with the reason, and a failed upload says that it blocks sending', async ({
  page,
}) => {
  await desk.begin(page);
  await attach(page, [
    note('tool.exe'),
    { ...note('empty.txt'), buffer: Buffer.alloc(0) },
    { ...note('broken.pdf', '%PDF-1.4 broken'), mimeType: 'application/pdf' },
    ...['a.tsv', 'b.jsonl', 'c.md', 'd.csv', 'e.txt'].map((name) => note(name, '{"a": 1}\n')),
  ]);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('tool.exe is not a supported file type.');
  await expect(alert).toContainText('empty.txt is empty.');
  await expect(alert).toContainText('e.txt was not added. A message can have at most 5 files.');
  await expect(alert).toContainText(
    'broken.pdf could not be attached. Attach it again or remove it to send your message.',
  );
  await field(page).fill('What is in them?');
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled();
  await page.getByRole('button', { name: 'Remove broken.pdf' }).click();
  await expect(alert).toBeHidden();
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
});

test('the browser’s file picker offers all readable file types', async ({ page }) => {
  await desk.begin(page);
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  const accept = await (await choosing).element().getAttribute('accept');
  expect(accept?.split(',')).toEqual(expect.arrayContaining(['.epub', '.tsv', '.jsonl', '.htm', '.png']));
});

test('Enter during an answer keeps the text and says why', async ({ page }) => {
  await desk.begin(page);
  desk.say('word '.repeat(200), 60);
  await ask(page, 'Say much.');
  await expect(answers(page).last()).toContainText('word word');
  await field(page).fill('One more thing');
  await field(page).press('Enter');
  const remark = page.getByText('Wait for the answer to finish, or stop it.');
  await expect(remark).toBeVisible();
  await expect(field(page)).toHaveValue('One more thing');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(remark).toBeHidden();
  desk.say('Now.');
  await field(page).press('Enter');
  await expect(answers(page).last()).toContainText('Now.');
});

test('Enter during an upload sends both once it completes, and a file alone asks for text', async ({
  page,
}) => {
  await desk.begin(page);
  desk.say('Read it');
  await page.route('**/attachment', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await attach(page, [note('notes.txt')]);
  await field(page).fill('What is in it?');
  await field(page).press('Enter');
  await expect(region(page)).toBeHidden();
  await expect(answers(page).last()).toContainText('Read it');
  await expect(region(page)).toContainText('notes.txt');
  await expect(field(page)).toHaveValue('');
  await attach(page, [note('more.txt')]);
  await expect(page.getByRole('progressbar', { name: /more.txt/ })).toBeHidden();
  const hint = page.getByText('Write a message to go with it.');
  await field(page).press('Enter');
  await expect(hint).toBeVisible();
  await field(page).fill('And here?');
  await expect(hint).toBeHidden();
  await field(page).fill('');
  await page.getByRole('button', { name: 'Send', exact: true }).click({ timeout: 5000 });
  await expect(hint).toBeVisible();
});

test('switching to another tab shows what was asked in the first, and follows its answer', async ({
  page,
  context,
}) => {
  await desk.begin(page);
  await askWhole(page, desk, 'First', 'Yes');
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(answers(other)).toHaveCount(1);
  desk.say('word '.repeat(100), 80);
  await ask(page, 'Second');
  await expect(answers(page).last()).toContainText('word');
  await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(region(other).getByText('Second')).toBeVisible();
  await expect(answers(other).last()).toContainText('word');
  await other.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(region(page).getByText('Stopped.')).toBeVisible();
});

test('two windows side by side stay in sync: a question in one and its streamed answer appear in the other', async ({
  page,
  browser,
}) => {
  await desk.begin(page);
  await askWhole(page, desk, 'First', 'Yes');
  const context = await browser.newContext({ storageState: await page.context().storageState() });
  const beside = await context.newPage();
  await beside.goto(page.url());
  await expect(answers(beside)).toHaveCount(1);
  await field(beside).fill('Half a thought');
  desk.say('word '.repeat(100), 80);
  await ask(page, 'Second');
  await expect(region(beside).getByText('Second')).toBeVisible();
  await expect(answers(beside).last()).toContainText('word');
  await expect(answers(beside).last()).toHaveAttribute('aria-busy', 'true');
  await expect(field(beside)).toHaveValue('Half a thought');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(region(beside).getByText('Stopped.')).toBeVisible();
  await expect(answers(beside)).toHaveCount(2);
  await context.close();
});

test('in a room people keep talking while the host answers, and all see it in order', async ({
  page,
  browser,
}) => {
  await desk.begin(page);
  const address = await openRoom(page);
  const list = (tab: Page) => tab.getByRole('navigation', { name: 'Conversations' });
  // The opener's actions mean nothing to a person who joined.
  const actsOf = async (tab: Page) => {
    await list(tab).getByRole('button', { name: 'Actions for' }).first().click();
    const acts = await tab.getByRole('menuitem').allInnerTexts();
    await tab.keyboard.press('Escape');
    return acts;
  };
  await expect(list(page).getByText('Room, Helper')).toBeVisible();
  const guest = await (await browser.newContext()).newPage();
  await guest.goto(address);
  await guest.getByRole('button', { name: 'Join' }).click();
  await expect(list(guest).getByText('Room, Helper')).toBeVisible();
  expect(await actsOf(page)).toContain('Delete');
  expect(await actsOf(guest)).toEqual(['Export as Markdown', 'Export as JSON']);
  await expect(page.getByRole('button', { name: '2 people' })).toBeVisible();
  desk.say('word '.repeat(200), 60);
  await page.getByText('Ask Helper', { exact: true }).click();
  await ask(page, 'Begin the story');
  for (const tab of [page, guest]) await expect(answers(tab).last()).toContainText('word word');
  await page.getByText('Everyone', { exact: true }).click();
  await ask(guest, 'How exciting');
  await ask(page, 'Is it not');
  for (const tab of [page, guest]) {
    await expect(region(tab).getByText('How exciting')).toBeVisible();
    await expect(region(tab).getByText('Is it not')).toBeVisible();
    await expect(tab.locator('li[aria-busy="true"]')).toHaveCount(1);
    const text = await region(tab).innerText();
    expect(text.indexOf('Begin the story')).toBeLessThan(text.indexOf('word word'));
    expect(text.indexOf('word word')).toBeLessThan(text.indexOf('How exciting'));
  }
  const grown = (await answers(guest).last().innerText()).length;
  await expect.poll(async () => (await answers(guest).last().innerText()).length).toBeGreaterThan(grown);
  await page.getByRole('button', { name: 'Ask Helper' }).or(page.getByText('Ask Helper')).first().click();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  for (const tab of [page, guest]) {
    await expect(tab.locator('li[aria-busy="true"]')).toHaveCount(0);
    await expect(region(tab).getByText('How exciting')).toHaveCount(1);
  }
  await guest.context().close();
});

test('a room opened while the list first loads appears in it', async ({ page }) => {
  await desk.begin(page);
  const read = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const answerLate = async (route: Route) => {
    const early = await route.fetch();
    read.resolve();
    await opened.promise;
    // A client that no longer waits for it has asked again.
    await route.fulfill({ response: early }).catch(() => undefined);
  };
  await page.route(/\/v1\/chat\?/, answerLate, { times: 1 });
  await page.route(/\/v1\/chat$/, (route) => read.promise.then(() => route.continue()));
  await openRoom(page);
  opened.resolve();
  await expect(
    page.getByRole('navigation', { name: 'Conversations' }).getByText('Room, Helper'),
  ).toBeVisible();
  await expect(page).toHaveTitle('Helper · Conversations · Parley');
});

test('unsent files survive a reload and are sent with the message, and missing ones are reported', async ({
  page,
}) => {
  await desk.begin(page);
  await attach(page, [note('plan.txt'), await picture('astronaut.jpg')]);
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await field(page).fill('Look at these.');
  await page.reload();
  const files = page.getByRole('list', { name: 'Files' });
  await expect(files.getByRole('listitem')).toHaveCount(2);
  await expect(files.locator('img')).toHaveCount(1);
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await expect(field(page)).toHaveValue('Look at these.');
  expect(await listed(page).count()).toBe(0);
  desk.say('Both seen');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(answers(page).last()).toContainText('Both seen');
  await expect(region(page).getByRole('list', { name: 'Files' }).getByRole('listitem')).toHaveCount(2);
  await expect(listed(page)).toHaveCount(1);
  await page.reload();
  await expect(files).toHaveCount(1);

  // In a conversation that has begun; the server no longer has it.
  await attach(page, [note('notes.txt')]);
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await page.route('**/attachment/*', (route) => route.fulfill({ status: 404, json: {} }));
  await page.reload();
  await expect(page.getByText('No longer available')).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('notes.txt could not be attached');
  await page.getByRole('button', { name: 'Remove notes.txt' }).click();
  await page.unroute('**/attachment/*');
  await page.reload();
  await expect(answers(page).last()).toContainText('Both seen');
  await expect(page.getByRole('button', { name: 'Remove notes.txt' })).toHaveCount(0);
});

test('damaged stored messages break nothing', async ({ page }) => {
  await desk.begin(page);
  await askWhole(page, desk, 'First', 'Yes');
  for (const damaged of ['{"a', 'null', '[null, 1, {}]']) {
    await page.evaluate((text) => {
      const id = location.pathname.split('/').at(-1);
      sessionStorage.setItem(`parley.draft.files ${id}`, text);
      sessionStorage.setItem(`parley.unsent.${id}`, text);
    }, damaged);
    await page.reload();
    await expect(answers(page)).toHaveCount(1);
    await expect(field(page)).toBeVisible();
  }
  await askWhole(page, desk, 'Second', 'Yes');
});
