import { readFile } from 'node:fs/promises';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { graveFaults } from './axe.ts';
import { answers, ask, askWhole, attach, field, region, startDesk, type Desk } from './desk.ts';
import { knowledgeIsRead } from './knowledge-read.ts';

/** How a conversation reads: no layout shift, nothing overflows, every language follows its own direction. */

const LONG_NAME = `${'A name that is much longer than there is room for '.repeat(3)}of the house rules`;

let desk: Desk;

test.beforeAll(async () => {
  desk = await startDesk();
  const { client, agentId, organizationId } = desk.owner;
  await client.knowledge.create({
    id: agentId,
    organizationId,
    type: 'text',
    description: LONG_NAME,
    text: 'A book can be kept for 43 days. Keeping a book longer costs 2 crowns.',
  });
  await knowledgeIsRead(client, agentId);
});
test.afterAll(() => desk.close());

/** Its position on the screen. */
async function placeOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('It is not shown.');
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

/** The position of its text, which is narrower than the element. */
const textOf = (locator: Locator) =>
  locator.evaluate((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    const { x, right } = range.getBoundingClientRect();
    return { x, right };
  });

const toEnd = (page: Page) => page.getByRole('button', { name: 'Go to the latest message' });
const fromEnd = (page: Page) =>
  region(page).evaluate((each) => Math.round(each.scrollHeight - each.scrollTop - each.clientHeight));
const long = (word: string) => Array.from({ length: 60 }, (_, line) => `${word} ${line}`).join('\n\n');

async function edit(page: Page, question: string, next: string): Promise<void> {
  await region(page).getByText(question, { exact: true }).hover();
  const message = region(page).getByRole('listitem').filter({ hasText: question }).first();
  await message.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Edit the message' }).fill(next);
  await page.keyboard.press('Enter');
}

test('the notice before the first message has the direction of its language, even on a narrow page in another one', async ({
  browser,
}) => {
  const context = await browser.newContext({ locale: 'ar-EG', viewport: { width: 360, height: 720 } });
  const page = await context.newPage();
  await desk.begin(page);
  const notice = page.getByText(/اصطناعي\.$/);
  await expect(notice).toBeVisible();
  const [first, last] = await notice.evaluate((each) => {
    const text = each.firstChild as Text;
    return [0, text.length - 1].map((place) => {
      const range = document.createRange();
      range.setStart(text, place);
      range.setEnd(text, place + 1);
      return range.getBoundingClientRect().x;
    });
  });
  expect(last).toBeLessThan(first ?? 0);
  await context.close();
});

test('a reload during a rating loses neither the rating nor the focus', async ({ page }) => {
  await desk.begin(page);
  await askWhole(page, desk, 'And that?', 'That too');
  await page.waitForLoadState('networkidle');
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let asked = 0;
  await page.route(/\/v1\/chat\/cnv_\w+\/message\?/, async (route) => {
    asked += 1;
    if (asked > 1) return route.continue();
    const before = await route.fetch();
    await held;
    return route.fulfill({ response: before });
  });
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect.poll(() => asked).toBe(1);
  const bad = page.getByRole('button', { name: 'Bad answer' });
  const rated = page.waitForResponse(/\/feedback$/);
  await bad.click();
  await rated;
  release?.();
  await expect.poll(() => asked).toBe(2);
  await expect(bad).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Skip' }).click();
  await expect(bad).toBeFocused();
});

test('a receipt is fully readable however long the names of its passages are', async ({ page, context }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await desk.owner.signIn(context);
  await page.goto(desk.owner.agentBase);
  await field(page).waitFor();
  await askWhole(page, desk, 'How long can a book be kept?', 'For 43 days [1].');
  await page.getByRole('button', { name: 'How this answer was made' }).click();
  const panel = page.getByRole('complementary', { name: 'How this answer was made' });
  const passage = panel.getByRole('group').getByRole('list').getByRole('listitem').first();
  const edge = await placeOf(panel);
  for (const part of [passage.getByText('Cited'), passage.locator('summary > :last-child')])
    expect((await placeOf(part)).right).toBeLessThan(edge.right);
  expect((await placeOf(passage.getByText(LONG_NAME))).height).toBeLessThan(30);
  await desk.owner.keepSession(context);
});

test('footnotes link to their text and back, and a wide table scrolls in its own box', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await desk.begin(page);
  const columns = ['Product', 'Manufacturer', 'Availability', 'Supercalifragilistic'];
  const table = [
    columns,
    columns.map(() => '-'),
    columns.map((each) => `${each} and what there is to say of it`),
  ];
  const rows = table.map((row) => `| ${row.join(' | ')} |`).join('\n');
  await askWhole(
    page,
    desk,
    'What do you know?',
    `Much[^1].\n\n${rows}\n\n${long('Line')}\n\n[^1]: By reading.`,
  );
  const mark = answers(page).getByRole('link', { name: 'Footnote 1' });
  const note = answers(page).getByRole('list', { name: 'Footnotes' }).getByRole('listitem');
  const address = page.url();
  await mark.focus();
  await page.keyboard.press('Enter');
  await expect(note).toBeFocused();
  await expect(note).toBeInViewport();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(mark).toBeFocused();
  await expect(mark).toBeInViewport();
  expect(page.url()).toBe(address);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  for (const cell of await answers(page).getByRole('cell').all())
    expect((await placeOf(cell)).width).toBeGreaterThan(130);
  expect(await graveFaults(page)).toEqual([]);
});

test('an invitation that ends with a right-to-left name is truncated at the end of the name', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  const { client, organizationId } = desk.owner;
  const name = 'مساعد خدمة العملاء للمؤسسة العامة الكبيرة';
  const { chatbot } = await client.chatbot.create({ organizationId, name });
  await page.goto(`${desk.server.url}/chat/${chatbot.id}`);
  await expect(field(page)).toHaveCSS('direction', 'rtl');
  await expect(field(page)).toHaveCSS('unicode-bidi', 'isolate');
  await field(page).fill('Hello');
  await expect(field(page)).toHaveCSS('unicode-bidi', 'plaintext');
});

test('a conversation with pictures opens at its end', async ({ page }) => {
  await desk.begin(page);
  await askWhole(page, desk, 'Tell me more', long('Line'));
  const buffer = await readFile('test/fixtures/astronaut.jpg');
  await attach(page, [{ name: 'astronaut.jpg', mimeType: 'image/jpeg', buffer }]);
  await expect(page.getByRole('progressbar')).toBeHidden();
  await askWhole(page, desk, 'Who is that?', 'An astronaut, in $\\frac{1}{2}$ of a suit.');
  // The bytes arrive long after the messages.
  await page.route(/\/attachment\//, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue();
  });
  await page.reload();
  await expect(region(page).getByRole('img', { name: 'astronaut.jpg' })).toBeVisible();
  await expect.poll(() => fromEnd(page)).toBeLessThanOrEqual(1);
  await expect(toEnd(page)).toBeHidden();
});

/** Retries in case the end of an answer arrived at the same moment, which scrolls. */
const goUp = (page: Page) =>
  expect(async () => {
    await region(page).evaluate((each) => (each.scrollTop = 0));
    await expect(toEnd(page)).toBeVisible({ timeout: 1000 });
  }).toPass();

test('paging through versions of an early question keeps its place', async ({ page }) => {
  await desk.begin(page);
  await askWhole(page, desk, 'First version', 'A short answer');
  desk.say(long('Second'));
  await edit(page, 'First version', 'Second version');
  await expect(answers(page).last()).toContainText('Second 59');
  await askWhole(page, desk, 'And then?', long('Third'));
  await goUp(page);
  for (const [button, text] of [
    ['Previous version', 'First version'],
    ['Next version', 'Second version'],
  ] as const) {
    await region(page)
      .getByText(text === 'First version' ? 'Second version' : 'First version')
      .hover();
    await page.getByRole('button', { name: button }).first().click();
    await expect(region(page).getByText(text, { exact: true })).toBeInViewport();
    // Anything that follows has arrived by then.
    await page.waitForTimeout(300);
    await expect(region(page).getByText(text, { exact: true })).toBeInViewport();
    await expect(toEnd(page)).toBeVisible({ visible: text === 'Second version' });
  }
});

test('the button to the end is hidden when an edit makes the conversation short', async ({ page }) => {
  await desk.begin(page);
  await askWhole(page, desk, 'Much', long('Line'));
  await goUp(page);
  desk.say('Little it is');
  await edit(page, 'Much', 'Little');
  await expect(answers(page).last()).toContainText('Little it is');
  await expect(toEnd(page)).toBeHidden();
});

test('a growing answer is followed at its end, and not while the reader is further up', async ({ page }) => {
  await desk.begin(page);
  desk.say(long('Grows'), 20);
  await ask(page, 'Grow');
  await expect(answers(page).last()).toContainText('Grows 20');
  expect(await fromEnd(page)).toBeLessThan(60);
  await region(page).hover();
  await page.mouse.wheel(0, -20_000);
  await expect(toEnd(page)).toBeVisible();
  await expect(answers(page).last()).toContainText('Grows 59');
  await expect(region(page).getByText('Grow', { exact: true })).toBeInViewport();
});

test('lists, quotes and tables of an answer follow the direction of their language', async ({ page }) => {
  await desk.begin(page);
  const text = [
    '- التفاح\n- البرتقال',
    '1. أولا\n2. ثانيا',
    '> قال كلاما',
    '| الاسم | العمر |\n| - | - |\n| سارة | 30 |',
    '```js\nconst a = 1;\n```',
    'Left to right',
    '- left\n- يمين',
  ].join('\n\n');
  await askWhole(page, desk, 'مرحبا', text);
  const answer = answers(page).last();
  const edges = await answer
    .locator('ul, ol, blockquote, table')
    .evaluateAll((all) =>
      all.map((each) => [
        each.tagName,
        getComputedStyle(each).direction,
        getComputedStyle(each).paddingRight !== '0px',
      ]),
    );
  expect(edges.filter(([tag]) => tag !== 'TABLE')).toEqual([
    ['UL', 'rtl', true],
    ['OL', 'rtl', true],
    ['BLOCKQUOTE', 'rtl', true],
    ['UL', 'ltr', false],
  ]);
  // Texts start at their list markers, including those in another language.
  const [apples, right] = [answer.getByText('التفاح'), answer.getByText('يمين')];
  expect((await placeOf(answer)).right - (await textOf(apples)).right).toBeLessThan(40);
  expect((await textOf(right)).x - (await placeOf(answer)).x).toBeLessThan(40);
  const [first, second] = [answer.getByText('الاسم'), answer.getByText('العمر')];
  expect((await placeOf(first)).x).toBeGreaterThan((await placeOf(second)).x);
  expect(await answer.locator('figure').evaluate((each) => getComputedStyle(each).direction)).toBe('ltr');
});

test('search results have the direction of their language', async ({ page }) => {
  await desk.begin(page);
  await askWhole(page, desk, 'איך מחליפים נורה?', 'כך.');
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('נורה');
  const found = page.getByRole('list', { name: 'Results' }).getByRole('listitem').locator('mark');
  await expect(found).toHaveCount(2);
  await expect(found.last()).toHaveCSS('direction', 'rtl');
});

test('the feedback form has its own row and stays within the column', async ({ page }) => {
  await desk.begin(page);
  await askWhole(page, desk, 'Is that right?', 'It is');
  await page.getByRole('button', { name: 'Bad answer' }).click();
  const form = page.getByRole('form', { name: 'Reason' });
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 });
    const [card, buttons] = [
      await placeOf(form),
      await placeOf(page.getByRole('button', { name: 'Copy' }).last()),
    ];
    expect(card.y).toBeGreaterThanOrEqual(buttons.bottom);
    expect(card.right).toBeLessThanOrEqual((await placeOf(answers(page).last())).right);
  }
});

test('a conversation is printed in full, on white, and nothing else with it', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${desk.server.url}/chat/${desk.owner.agentId}`);
  await askWhole(page, desk, 'Tell me all.', long('Line'));
  expect(await fromEnd(page)).toBe(0);
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  await expect(field(page)).toBeHidden();
  await expect(page.getByRole('toolbar')).toHaveCount(0);
  await expect(page.getByRole('searchbox')).toBeHidden();
  const printed = await region(page).evaluate((each) => ({
    isWhole: each.clientHeight === each.scrollHeight && each.scrollHeight > innerHeight,
    onPage: Math.round(document.documentElement.scrollHeight - each.scrollHeight),
    scheme: getComputedStyle(each).colorScheme,
  }));
  expect(printed).toMatchObject({ isWhole: true, scheme: 'light' });
  expect(printed.onPage).toBeLessThan(40);
});

test('code and tables wider than the paper are printed in full, without buttons', async ({ page }) => {
  await page.goto(`${desk.server.url}/chat/${desk.owner.agentId}`);
  const row = (cell: string) => `|${`${cell}|`.repeat(12)}`;
  const table = [row('Column'), row('---'), row('some_long_value')].join('\n');
  const wide = `\`\`\`ts\nconst wide = '${'wide '.repeat(60)}';\n\`\`\`\n\n${table}`;
  await askWhole(page, desk, 'Show me.', wide);
  await page.setViewportSize({ width: 718, height: 1000 });
  await page.emulateMedia({ media: 'print' });
  const box = region(page)
    .getByRole('group')
    .filter({ has: page.getByRole('table') });
  expect(await box.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
  await expect(region(page).getByRole('button', { name: 'Copy code' })).toBeHidden();
  const code = region(page).locator('pre');
  expect(await code.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
});

test('unloaded messages are loaded before printing, from the menu and by the shortcut', async ({
  page,
  context,
}) => {
  const { owner, server, say } = desk;
  await owner.signIn(context);
  say('Yes.');
  const { id } = (await owner.client.chat.create({ chatbotId: owner.agentId })).conversation;
  for (let number = 1; number <= 27; number += 1) await owner.client.chat.send({ id, text: `Say ${number}` });
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-asked-to-print', '');
  });
  const ways = [
    async () => {
      await page.getByRole('button', { name: 'Actions', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Print' }).click();
    },
    () => page.keyboard.press('Control+p'),
  ];
  for (const way of ways) {
    await page.goto(`${server.url}/chat/${id}`);
    await expect(answers(page)).toHaveCount(25);
    await page.emulateMedia({ media: 'print' });
    await expect(region(page).getByText('Earlier messages are')).toBeVisible();
    await expect(region(page).getByText('Show earlier messages')).toBeHidden();
    await page.emulateMedia({ media: 'screen' });
    await way();
    await expect(page.locator('body[data-asked-to-print]')).toBeAttached();
    await expect(answers(page)).toHaveCount(27);
    await expect(page.getByText('Loading the whole conversation')).toHaveCount(0);
  }

  const { link } = await owner.client.chatLink.create({ id, audience: 'anybody' });
  await page.goto(`${server.url}/chat/${link.token}`);
  await expect(answers(page)).toHaveCount(25);
  await page.emulateMedia({ media: 'print' });
  await expect(region(page).getByText('Later messages are')).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  await page.keyboard.press('Control+p');
  await expect(page.locator('body[data-asked-to-print]')).toBeAttached();
  await expect(answers(page)).toHaveCount(27);
  await owner.keepSession(context);
});

test('a copied answer is Markdown, and formatted for programs that take that', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await desk.begin(page);
  const answer =
    '## Rules\n\n- Keep **quiet**\n- See [the rest](https://example.com/rest)\n\n```js\nleave();\n```\n\nIt is $x^2$.';
  await askWhole(page, desk, 'Which rules?', answer);
  await expect(answers(page).last().locator('math')).toBeVisible();
  await answers(page).last().getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const [text, html] = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const read = async (type: string) => (await item?.getType(type))?.text();
    return Promise.all([read('text/plain'), read('text/html')]);
  });
  expect(text).toBe(answer);
  expect(html).toMatch(/<strong>quiet<.*<a href="https:\/\/example\.com\/rest">/);
  expect(html).toMatch(/<pre[^>]*><code>[^]*leave[^]*<\/code><\/pre>/);
  expect(html).toContain('<math');
  expect(html).not.toMatch(/class=|<button|<svg/);
});
