import { expect, test, type Locator } from '@playwright/test';
import { graveFaults } from './axe.ts';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** What a small screen shows in sheets over the page. */

let server: Server;
let ada: Owner;

test.use({ viewport: { width: 360, height: 740 }, contextOptions: { reducedMotion: 'reduce' } });

test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
  ada = await startOwner(server);
});
test.afterAll(() => server.remove());
test.beforeEach(({ context }) => ada.signIn(context));
test.afterEach(({ context }) => ada.keepSession(context));

test('an agent is tested in a sheet, with the receipt of its answer', async ({ page }) => {
  await page.goto(`${ada.agentBase}/home`);
  const opener = page.getByRole('button', { name: 'Try it' });
  const sheet = page.getByRole('dialog', { name: 'Try it' });
  await opener.press('Enter');
  await sheet.getByRole('textbox').fill('When does the shop close?');
  await page.keyboard.press('Enter');
  await sheet.getByRole('button', { name: 'How this answer was made' }).click();
  await expect(sheet.getByRole('complementary', { name: 'How this answer was made' })).toBeVisible();
  expect(await graveFaults(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await sheet.getByRole('button', { name: 'Close the test chat' }).click();
  await expect(sheet).toHaveCount(0);
  await expect(opener).toBeFocused();

  // Reopening the sheet shows the same conversation.
  await opener.press('Enter');
  await expect(sheet.getByText('When does the shop close?')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(opener).toBeFocused();
});

test('Back closes an overlay, and reopens it when returning from a link inside it', async ({ page }) => {
  const title = 'Lamps of brass';
  const { conversation } = await ada.client.chat.create({ chatbotId: ada.agentId, title });
  const address = `${server.url}/chat/${conversation.id}`;
  const list = page.getByRole('navigation', { name: 'Conversations' });
  const opener = page.getByRole('button', { name: 'Conversations' });
  await page.goto(`${server.url}/chat`);
  await page.goto(address);
  await opener.click();
  await expect(list).toBeVisible();
  await page.goBack();
  await expect(list).toBeHidden();
  await expect(page).toHaveURL(address);
  await opener.press('Enter');
  await list.getByRole('button', { name: `Actions for ${title}` }).focus();
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();
  await expect(opener).toBeFocused();

  // Stacked: each Back closes the topmost.
  await opener.click();
  await list.getByRole('button', { name: `Actions for ${title}` }).click();
  await page.getByRole('menuitem', { name: 'Share' }).click();
  const share = page.getByRole('dialog', { name: 'Share this conversation' });
  await expect(share).toBeVisible();
  await page.goBack();
  await expect(share).toBeHidden();
  await expect(list).toBeVisible();
  await list.getByRole('link', { name: new RegExp(title) }).click();
  await expect(list).toBeHidden();
  await page.goBack();
  await expect(list).toBeVisible();
  await page.goBack();
  await expect(list).toBeHidden();
  await expect(page).toHaveURL(address);

  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Share' }).click();
  await expect(share).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(share).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL(`${server.url}/chat`);

  await page.goto(`${ada.agentBase}/home`);
  await page.getByRole('button', { name: 'Try it' }).click();
  await expect(page.getByRole('dialog', { name: 'Try it' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog', { name: 'Try it' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Knowledge' }).click();
  await expect(page).toHaveURL(/\/knowledge$/);
  await expect(page.getByRole('dialog', { name: 'Menu' })).toHaveCount(0);
});

test('Back closes a deletion dialog and the invitation to a new room', async ({ page }) => {
  await page.goto(`${ada.agentBase}/home`);
  const address = `${ada.agentBase}/settings/danger`;
  await page.goto(address);
  const opener = page.getByRole('button', { name: 'Delete this agent' });
  const dialog = page.getByRole('dialog');
  await opener.click();
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(address);
  await expect(opener).toBeFocused();
  await opener.click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await page.waitForFunction(() => !('steps' in history.state));

  await page.goto(`${server.url}/chat/${ada.agentId}`);
  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Open a room' }).click();
  const people = page.getByRole('dialog', { name: 'People in this room' });
  await expect(people).toBeVisible();
  await page.goBack();
  await expect(people).toHaveCount(0);
  await expect(page).toHaveURL(/\/chat\/cnv_\w+$/);
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toBeVisible();
});

test('a team named with one long word does not make the list of members wider than the screen', async ({
  page,
}) => {
  const { client, organizationId } = ada;
  const name = 'Anlagenbau'.repeat(6);
  const { team } = await client.team.create({ organizationId, name });
  const { members } = await client.member.list({ orgId: organizationId });
  await client.team.update({ id: team.id, members: members.map(({ userId }) => userId) });
  await page.goto(`${ada.base}/account/members`);
  await expect(page.getByText(name)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
});

test('an agent named with one long word, and what it sells, do not make its chat wider than the screen', async ({
  page,
  browser,
}) => {
  const { client, organizationId } = ada;
  const name = 'Anlagenbau'.repeat(6);
  const { id: chatbotId } = (await client.chatbot.create({ organizationId, name })).chatbot;
  const { id } = (await client.chat.create({ chatbotId })).conversation;
  await client.chat.send({ id, text: 'Hello' });
  const { token } = (await client.chatLink.create({ id, kind: 'read', audience: 'anybody' })).link;
  const room = (await client.chat.create({ chatbotId, kind: 'game' })).conversation;
  const isWithin = async (shown: Locator) => {
    await expect(shown).toBeVisible();
    const parts = shown.locator('xpath=descendant-or-self::*');
    const ends = await parts.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().right));
    expect(Math.max(...ends)).toBeLessThanOrEqual(360);
  };
  await page.goto(`${server.url}/chat/${id}`);
  await isWithin(page.locator('li[aria-busy]'));
  await page.goto(`${server.url}/chat/${token}`);
  await isWithin(page.getByRole('link', { name: `Start your own conversation with ${name}` }));
  await page.goto(`${server.url}/chat/${room.id}`);
  await isWithin(page.getByRole('group', { name: 'Talk to' }));
  await page.getByRole('button', { name: '1 person' }).click();
  await isWithin(page.getByRole('dialog').getByRole('list'));

  const { product } = await client.product.create({ organizationId, agentId: chatbotId });
  const paymentConfig = { kind: 'free', credits: 1 } as const;
  await client.product.update({ id: product.id, state: 'active', paymentConfig, detailsConfig: { name } });
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const guest = await context.newPage();
  await guest.goto(`${server.url}/chat/${chatbotId}`);
  await guest.getByRole('textbox', { name: 'Message' }).fill('Hello');
  await guest.keyboard.press('Enter');
  await expect(guest.getByRole('heading', { name, exact: true })).toBeVisible();
  await isWithin(guest.getByRole('region', { name: `Continue with ${name}` }));
  await context.close();
});

test('without a conversation the page is the list of them, and one can be opened from there', async ({
  page,
}) => {
  const { conversation } = await ada.client.chat.create({ chatbotId: ada.agentId, title: 'Shades of silk' });
  await page.goto(`${server.url}/chat`);
  await expect(page.getByRole('button', { name: 'Conversations' })).toBeHidden();
  await page.getByRole('navigation', { name: 'Conversations' }).getByText('Shades of silk').click();
  await expect(page).toHaveURL(`${server.url}/chat/${conversation.id}`);
  await expect(page.getByRole('navigation', { name: 'Conversations' })).toBeHidden();
  await expect(page.getByRole('textbox')).toBeVisible();
});

test('tap targets are as large as a fingertip, and the page is no wider than the screen', async ({
  browser,
  context,
}) => {
  const touched = await browser.newContext({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  await ada.signIn(touched);
  const page = await touched.newPage();
  const pages = [
    `${ada.base}/agent`,
    `${ada.base}/account/members`,
    `${ada.agentBase}/knowledge/create/website`,
  ];
  for (const address of [...pages, `${ada.agentBase}/settings/share`, `${server.url}/chat/${ada.agentId}`]) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const small = page.locator('main :is(button, input:not([type=checkbox], [type=radio]), select):visible');
    const heights = await small.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    expect(Math.min(...heights.filter((height) => height > 1))).toBeGreaterThanOrEqual(40);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  }
  await ada.keepSession(touched);
  // The next test continues with this one of the two contexts.
  await ada.signIn(context);
  await touched.close();
});

test('an agent’s conversations come before their filters', async ({ page }) => {
  await page.goto(`${ada.agentBase}/conversations`);
  const channel = page.getByRole('combobox', { name: 'Channel' });
  await expect(page.getByLabel('Search titles, messages and people')).toBeVisible();
  await expect(channel).toBeHidden();
  await page.getByRole('button', { name: 'Filter' }).click();
  await channel.selectOption('Telegram');
  await expect(page).toHaveURL(/channel=telegram/);
  await page.reload();
  await expect(channel).toBeVisible();
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(channel).toBeHidden();
});

test('the audit log comes before its filters, and a large screen shows both at once', async ({ page }) => {
  await page.goto(`${ada.base}/account/audit`);
  const log = page.getByRole('table', { name: 'Audit log' });
  const person = page.getByRole('combobox', { name: 'Person' });
  const opener = page.getByRole('button', { name: 'Filter' });
  await expect(log.getByRole('row').nth(1)).toBeInViewport();
  await expect(person).toBeHidden();
  await opener.click();
  await person.selectOption('ada');
  await expect(log.getByText('Create an agent').first()).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search the log' }).fill('no such thing');
  await expect(page.getByText('No entries found')).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(person).toBeVisible();
  await expect(opener).toBeHidden();
});

test('on touch screens an option is as high as a fingertip, and all of it is tappable', async ({
  browser,
  context,
}) => {
  const touched = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true });
  await ada.signIn(touched);
  const page = await touched.newPage();
  const { team } = await ada.client.team.create({ organizationId: ada.organizationId, name: 'Desk' });
  /** Presses this far above the middle of an option's text, and before it. */
  const press = async (words: Locator, { before }: { before: number }) => {
    await words.scrollIntoViewIfNeeded();
    const box = await words.boundingBox();
    if (!box) throw new Error('It is not to be seen.');
    await page.touchscreen.tap(box.x - before, box.y + box.height / 2 - 18);
  };
  await page.goto(`${ada.base}/account/teams/${team.id}`);
  const helper = page.getByRole('checkbox', { name: 'Helper' });
  await press(page.locator('label', { hasText: 'Helper' }), { before: -20 });
  await expect(helper).toBeChecked();
  await press(page.locator('label', { hasText: 'Helper' }), { before: 10 });
  await expect(helper).not.toBeChecked();

  await page.goto(`${ada.agentBase}/settings/profile`);
  const voice = page.getByRole('switch', { name: 'Voice' });
  await press(page.locator('label', { hasText: 'Voice' }).last(), { before: -20 });
  await expect(voice).toBeChecked();
  await ada.keepSession(touched);
  // The next test continues with this one of the two contexts.
  await ada.signIn(context);
  await touched.close();
});

test('on touch screens even small-looking chat controls are as large as a fingertip', async ({
  browser,
  context,
}) => {
  const touched = await browser.newContext({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  await ada.signIn(touched);
  const page = await touched.newPage();
  /** How far above and below its middle a touch still hits it. */
  const reach = (pressed: Locator) =>
    pressed.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const isHit = (by: number) =>
        element.contains(document.elementFromPoint(left + width / 2, top + height / 2 + by));
      const far = [...Array.from({ length: 30 }).keys()];
      const [down = 30, up = 30] = [1, -1].map((way) => far.find((by) => !isHit(way * by)));
      return down + up - 1;
    });
  await page.goto(`${server.url}/chat/${ada.agentId}`);
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Do you sell lamps?');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('button', { name: 'Bad answer' }).click();
  await expect.poll(() => reach(page.getByText('Incorrect'))).toBeGreaterThanOrEqual(40);
  expect(await reach(page.getByRole('button', { name: 'Talk to a person' }))).toBeGreaterThanOrEqual(40);
  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Share' }).click();
  expect(await reach(page.getByRole('button', { name: 'Close' }))).toBeGreaterThanOrEqual(40);
  await ada.keepSession(touched);
  // The next test continues with this one of the two contexts.
  await ada.signIn(context);
  await touched.close();
});

test('beside a tablet’s sidebar a table becomes a list as on phones, and the page is no wider than the screen', async ({
  page,
}) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.goto(`${ada.base}/insights`);
  await expect(page.getByRole('table', { name: 'Agents' }).getByRole('link').first()).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
});

test('a larger browser font size is respected, and does not widen the page', async ({ page }) => {
  const devtools = await page.context().newCDPSession(page);
  const lettersAt = async (standard: number) => {
    await devtools.send('Page.setFontSizes', { fontSizes: { standard } });
    await page.goto(`${ada.agentBase}/knowledge`);
    const lead = page.getByRole('main').locator('p').first();
    await expect(lead).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    return lead.evaluate((line) => Number.parseFloat(getComputedStyle(line).fontSize));
  };
  expect((await lettersAt(24)) / (await lettersAt(16))).toBeCloseTo(1.5);
});

test('at twice the font size names stay readable: an agent’s in its chat, an item’s beside the test chat', async ({
  page,
}) => {
  const { client, agentId: id, organizationId } = ada;
  const name = 'Opening hours of the shop';
  await client.knowledge.create({
    id,
    organizationId,
    type: 'text',
    description: name,
    text: 'Nine to five.',
  });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
  await page.goto(`${server.url}/chat/${id}`);
  const agent = page.getByRole('heading', { name: 'Helper', level: 1 });
  await expect.poll(() => agent.evaluate((line) => line.clientWidth)).toBeGreaterThan(60);

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${ada.agentBase}/knowledge`);
  const item = page.getByRole('link', { name });
  await expect(item).toBeVisible();
  const edge = (await page.getByRole('table').boundingBox()) ?? { x: 0, width: Infinity };
  const beside = (await page.getByRole('complementary', { name: 'Try it' }).boundingBox()) ?? { x: 0 };
  expect(edge.x + edge.width).toBeLessThan(beside.x);
  expect((await item.boundingBox())?.height).toBeLessThan(200);
});
