import { readFile } from 'node:fs/promises';
import { expect, test, type Page } from '@playwright/test';
import { registerInBrowser, type BrowserClient } from '../browser-client.ts';
import { startProvider, type Provider } from '../stand-ins/provider.ts';
import { graveFaults } from './axe.ts';
import { nameOneself, openRoom } from './desk.ts';
import { knowledgeIsRead } from './knowledge-read.ts';
import { Server } from './server.ts';

/** The conversation in a real browser, with a stand-in for the model: everything that can be done with it. */

let server: Server;
let provider: Provider;
let owner: BrowserClient['client'];
let agentId: string;

test.beforeAll(async () => {
  provider = await startProvider({ pieces: ['Nothing yet.'] });
  server = await Server.start({
    ...provider.environment,
    SEED_DEMO: 'off',
    TRUSTED_PROXIES: '127.0.0.1,::1,::ffff:127.0.0.1',
  });
  ({ client: owner } = await registerInBrowser(server.url, 'ada'));
  const { organization } = await owner.organization.create({ name: 'Acme' });
  const { chatbot } = await owner.chatbot.create({ organizationId: organization.id, name: 'Library desk' });
  agentId = chatbot.id;
  await owner.knowledge.create({
    id: agentId,
    organizationId: organization.id,
    type: 'text',
    description: 'House rules',
    text: 'A book can be kept for 43 days. Keeping a book longer costs 2 crowns.',
  });
  await knowledgeIsRead(owner, agentId);
});
test.afterAll(async () => {
  await server.remove();
  await provider.close();
});

let addresses = 0;
/** Each browser has its own address: guests at one address may begin only a few conversations an hour. */
function fromElsewhere(): Record<string, string> {
  addresses += 1;
  return { 'x-forwarded-for': `10.9.0.${addresses}` };
}

const problems: string[] = [];
test.beforeEach(async ({ page, context }) => {
  problems.length = 0;
  await context.setExtraHTTPHeaders(fromElsewhere());
  page.on('pageerror', (error) => problems.push(error.message));
});
test.afterEach(() => expect(problems).toEqual([]));

/** Sets what the model says from now on. */
function say(text: string, betweenPiecesMs = 0): void {
  provider.script = { pieces: text.match(/[\s\S]{1,8}/g) ?? [], betweenPiecesMs };
}

const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const answers = (page: Page) => page.locator('li[aria-busy]');
const region = (page: Page) => page.getByRole('region', { name: 'Conversation' });

async function begin(page: Page): Promise<void> {
  await page.goto(`${server.url}/chat/${agentId}`);
  await field(page).waitFor();
}

async function ask(page: Page, question: string): Promise<void> {
  await field(page).fill(question);
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
  await page.keyboard.press('Enter');
}

async function askWhole(page: Page, question: string, answer: string): Promise<void> {
  say(answer);
  await ask(page, question);
  await expect(answers(page).last()).toContainText(answer);
  await expect(page.getByRole('button', { name: 'Regenerate' }).last()).toBeVisible();
}

async function choose(page: Page, title: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${title}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('an answer has citations, which open the passage and the list of all sources', async ({ page }) => {
  await begin(page);
  await askWhole(page, 'How long can a book be kept?', 'For 43 days');
  say('For 43 days [1].');
  await ask(page, 'How many days can a book be kept?');
  await page.getByRole('button', { name: 'Source 1: House rules' }).click();
  const passage = page.getByRole('complementary', { name: 'Passage' });
  await expect(passage).toContainText('A book can be kept for 43 days.');
  for (const close of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
    await close();
    await expect(passage).toBeHidden();
    await expect(page.getByRole('button', { name: 'Source 1: House rules' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(passage).toBeVisible();
  }
});

test('a stopped answer stays, and can be requested again', async ({ page }) => {
  await begin(page);
  say('word '.repeat(200), 60);
  await ask(page, 'Say much.');
  await expect(answers(page).last()).toContainText('word word');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('Stopped.')).toBeVisible();
  say('Whole now.');
  await page.getByRole('button', { name: 'Answer again' }).click();
  await expect(answers(page).last()).toContainText('Whole now.');
  await expect(answers(page)).toHaveCount(1);
});

test('an answer can be regenerated, a question edited, and the branches paged through', async ({ page }) => {
  await begin(page);
  await askWhole(page, 'First question', 'First answer');
  say('Second answer');
  await page.getByRole('button', { name: 'Regenerate' }).click();
  await expect(answers(page).last()).toContainText('Second answer');
  await expect(answers(page)).toHaveCount(1);
  await expect(page.getByText('2 / 2')).toBeVisible();
  await page.getByRole('button', { name: 'Previous version' }).click();
  await expect(answers(page).last()).toContainText('First answer');
  await expect(page.getByText('1 / 2')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Previous version' })).toBeFocused();

  say('Third answer');
  await region(page).getByText('First question').hover();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Edit the message' }).fill('Another question');
  await page.keyboard.press('Enter');
  await expect(answers(page).last()).toContainText('Third answer');
  await expect(region(page).getByText('First question')).toBeHidden();
  await page.reload();
  await expect(answers(page).last()).toContainText('Third answer');
  await page.getByRole('button', { name: 'Previous version' }).first().click();
  await expect(region(page).getByText('First question')).toBeVisible();
  await expect(answers(page).last()).toContainText(/First|Second/);
});

test('an answer is rated with a reason, which survives a reload', async ({ page }) => {
  await begin(page);
  await askWhole(page, 'Is that right?', 'It is');
  const bad = page.getByRole('button', { name: 'Bad answer' });
  await bad.click();
  await page.getByText('Incomplete').click();
  await page.getByRole('textbox', { name: 'Add a comment' }).fill('The year is missing.');
  await page.getByRole('button', { name: 'Send feedback' }).click();
  await expect(page.getByRole('form', { name: 'Reason' })).toBeHidden();
  await expect(bad).toBeFocused();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Bad answer' })).toHaveAttribute('aria-pressed', 'true');
});

test('conversations are renamed, pinned, deleted, restored, found and saved', async ({ page }) => {
  await begin(page);
  await askWhole(page, 'Where is the zebra house?', 'Behind the lake');
  await choose(page, 'Where is the zebra house?', 'Rename');
  await page.getByRole('textbox', { name: 'Title' }).fill('Zoo visit');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: /Zoo visit/ })).toBeVisible();
  await choose(page, 'Zoo visit', 'Pin');
  await expect(
    page.getByRole('region', { name: 'Pinned' }).getByRole('link', { name: /Zoo visit/ }),
  ).toBeVisible();

  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('behind lake');
  await expect(page.getByRole('list', { name: 'Results' }).locator('mark').first()).toHaveText(/behind/i);
  await page.getByRole('list', { name: 'Results' }).getByRole('link').click();
  await expect(page).toHaveURL(/message=msg_/);
  await expect(answers(page).last()).toContainText('Behind the lake');
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('');

  const saving = page.waitForEvent('download');
  await choose(page, 'Zoo visit', 'Export as Markdown');
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/\.md$/);
  expect(await readFile(await saved.path(), 'utf8')).toContain('Behind the lake');

  await choose(page, 'Zoo visit', 'Delete');
  await expect(page.getByRole('link', { name: /Zoo visit/ })).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('link', { name: /Zoo visit/ })).toBeVisible();
});

test('a shared conversation opens in a fresh browser until the link is revoked', async ({
  page,
  browser,
}) => {
  await begin(page);
  await askWhole(page, 'What is shared?', 'Only this');
  await choose(page, 'What is shared?', 'Share');
  await page.getByRole('button', { name: 'Create link' }).click();
  const address = await page.getByRole('textbox', { name: 'Anyone with the link' }).inputValue();
  const reader = await (await browser.newContext()).newPage();
  await reader.goto(address);
  await expect(reader.getByText('Only this')).toBeVisible();
  await expect(reader.getByRole('listitem').first()).toHaveText('QuestionWhat is shared?');
  await expect(reader.getByRole('link', { name: /Start your own conversation/ })).toBeVisible();
  await expect(field(reader)).toBeHidden();
  await page.getByRole('button', { name: 'Revoke' }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'Anyone with the link' })).toBeHidden();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Create link' })).toBeFocused();
  await reader.reload();
  await expect(reader.getByRole('heading', { name: 'This link is not valid.' })).toBeVisible();
  await reader.context().close();
});

test('a temporary chat is not listed', async ({ page }) => {
  await begin(page);
  await page.getByRole('button', { name: 'Temporary chat' }).click();
  await expect(page.getByText('Temporary chat: it is not listed')).toBeVisible();
  await askWhole(page, 'Forget this', 'Gladly');
  await page.reload();
  await expect(answers(page).last()).toContainText('Gladly');
  await expect(page.getByText('Temporary chat: it is not listed')).toBeVisible();
  await expect(page.getByText('No conversations yet.')).toBeVisible();
  // A link would outlive it.
  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  await expect(page.getByRole('menuitem', { name: 'Open a room' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Share' })).toHaveCount(0);
});

test('files can be attached, and unsuitable ones are refused with a reason', async ({ page }) => {
  await begin(page);
  const picture = await readFile('test/fixtures/astronaut.jpg');
  const files = [
    {
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('The password of the day is swordfish.'),
    },
    { name: 'tool.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') },
    { name: 'astronaut.jpg', mimeType: 'image/jpeg', buffer: picture },
  ];
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (await choosing).setFiles(files);
  await expect(page.getByText('tool.exe is not a supported file type.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove notes.txt' })).toBeVisible();
  await askWhole(page, 'What is the password?', 'It is in the file');
  expect(JSON.stringify(provider.requests.at(-1)?.messages)).toContain('swordfish');
  await page.reload();
  await expect(page.getByRole('button', { name: /notes\.txt/ })).toBeVisible();
  await expect(page.getByRole('img', { name: 'astronaut.jpg' })).toBeVisible();
});

test('a whole conversation works by keyboard alone, and focus is never lost', async ({ page }) => {
  await begin(page);
  say('Keys are enough.');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('Can I do without a mouse?');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('Really?');
  await page.keyboard.press('Enter');
  await expect(answers(page).last()).toContainText('Keys are enough.');
  await expect(page.getByRole('button', { name: 'Regenerate' })).toBeVisible();
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('textbox', { name: 'Edit the message' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(field(page)).toBeFocused();
  // Backward: the follow-up questions, if any, then the answer's toolbar, which is a single tab stop.
  const copy = page.getByRole('toolbar', { name: 'Actions' }).last().getByRole('button', { name: 'Copy' });
  for (
    let step = 0;
    step < 12 && !(await copy.evaluate((each) => each === document.activeElement));
    step += 1
  )
    await page.keyboard.press('Shift+Tab');
  await expect(copy).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('button', { name: 'Regenerate' })).toBeFocused();
  say('And once more.');
  await page.keyboard.press('Enter');
  await expect(answers(page).last()).toContainText('And once more.');
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
});

test('a network failure, a reload and a second tab neither lose nor duplicate anything', async ({
  page,
  context,
}) => {
  await begin(page);
  const words = Array.from({ length: 60 }, (_, index) => `word${index} `);
  provider.script = { pieces: words, betweenPiecesMs: 80 };
  await ask(page, 'Count for me');
  await expect(answers(page).last()).toContainText('word3');
  await context.setOffline(true);
  await page.waitForTimeout(600);
  await context.setOffline(false);
  await expect(answers(page).last()).toContainText('word12', { timeout: 20_000 });
  await page.reload();
  const second = await context.newPage();
  await second.goto(page.url());
  for (const tab of [page, second]) {
    await expect(answers(tab).last()).toContainText('word59', { timeout: 20_000 });
    await expect(answers(tab)).toHaveCount(1);
    await expect(region(tab).getByText('Count for me')).toHaveCount(1);
    const text = await answers(tab).last().innerText();
    expect(text.match(/word\d+/g)).toEqual(words.map((word) => word.trim()));
  }
});

test('an unsent message stays, and appears once when resent', async ({ page, context }) => {
  await begin(page);
  await askWhole(page, 'Are you there?', 'Always');
  say('Now I heard you');
  await context.setOffline(true);
  await ask(page, 'And now?');
  await expect(page.getByRole('button', { name: 'Send again' })).toBeVisible();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(answers(page).last()).toContainText('Now I heard you');
  await page.reload();
  await expect(answers(page)).toHaveCount(2);
  await expect(region(page).getByText('And now?')).toHaveCount(1);
});

test('unsent text survives a reload', async ({ page }) => {
  await begin(page);
  await field(page).fill('Half a thought');
  await page.reload();
  await expect(field(page)).toHaveValue('Half a thought');
});

test('several people talk in a room, all see the same, and the host answers when asked', async ({
  page,
  browser,
}) => {
  await begin(page);
  const address = await openRoom(page);
  const guest = await (await browser.newContext()).newPage();
  await guest.goto(address);
  await guest.getByRole('button', { name: 'Join' }).click();
  await expect(guest).toHaveURL(/\/chat\/cnv_/);
  await page.getByRole('button', { name: '2 people' }).click();
  await nameOneself(page, 'Grace');
  await ask(guest, 'Good evening everybody');
  await expect(region(page).getByText('Good evening everybody')).toBeVisible();
  say('The first question is easy.');
  await page.getByText('Ask Library desk', { exact: true }).click();
  await ask(page, 'Begin the quiz');
  for (const tab of [page, guest]) {
    await expect(answers(tab).last()).toContainText('The first question is easy.');
    await expect(region(tab).getByText('Begin the quiz')).toHaveCount(1);
  }
  await expect(region(guest).getByText('Grace', { exact: true })).toBeVisible();
  await guest.context().close();
});

test('axe finds nothing serious, on phones and desktops, in light and dark', async ({ browser }) => {
  for (const width of [360, 1440])
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        colorScheme,
        // Half faded in, everything has too little contrast.
        reducedMotion: 'reduce',
        extraHTTPHeaders: fromElsewhere(),
      });
      const page = await context.newPage();
      await begin(page);
      const check = async (what: string) => {
        await page.waitForTimeout(250);
        expect(await graveFaults(page), `${what} ${width} ${colorScheme}`).toEqual([]);
      };
      await check('new');
      await askWhole(page, 'Show everything', 'Look here');
      say(
        '**Bold** [1]\n\n```ts\nconst a = 1; // one\n```\n\n| a |\n| - |\n| $x^2$ |\n\n- [x] done\n\n![p](https://e.example/p.png)',
      );
      await ask(page, 'How long can a book be kept?');
      await expect(page.getByRole('button', { name: /^Source 1/ })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Regenerate' }).last()).toBeVisible();
      await check('answer');
      await page.getByRole('button', { name: 'Bad answer' }).last().click();
      await check('feedback');
      await page.keyboard.press('Escape');
      await page
        .getByRole('button', { name: /^Source 1/ })
        .first()
        .click();
      await check('passage');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Actions', exact: true }).click();
      await check('menu');
      await page.getByRole('menuitem', { name: 'Share' }).click();
      await page.getByRole('button', { name: 'Create link' }).click();
      await check('share');
      await context.close();
    }
});
