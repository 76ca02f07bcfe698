import { expect, test, type Page } from '@playwright/test';
import { SignJWT } from 'jose';
import type { TestClient } from '../client.ts';
import { HostPage } from './host-page.ts';
import { startOwner } from './owner.ts';
import { Server } from './server.ts';

/** The widget when calls fail, and when people do unexpected things. */

let server: Server;
let host: HostPage;
let agentId: string;
let organizationId: string;
let client: TestClient;

test.beforeAll(async () => {
  // All visitors here share one address.
  server = await Server.start({ SEED_DEMO: 'off', GUEST_CONVERSATIONS_PER_HOUR: '1000' });
  host = await HostPage.start(server.url);
  ({ agentId, organizationId, client } = await startOwner(server));
});
test.afterAll(async () => {
  await host.close();
  await server.remove();
});

test('a last conversation that temporarily cannot be read is reported, and appears on retry', async ({
  page,
}) => {
  const launcher = page.locator('parley-widget button.launcher');
  const frame = page.locator('parley-widget iframe').contentFrame();
  await page.goto(host.page({ 'data-agent': agentId }));
  await launcher.click();
  await frame.getByRole('textbox', { name: 'Message' }).fill('Do you sell lamps?');
  await page.keyboard.press('Enter');
  await expect(frame.getByRole('button', { name: 'Regenerate' })).toBeVisible();
  await page.route(/\/v1\/chat\?/, (route) => route.fulfill({ status: 503, body: 'busy' }));
  await page.reload();
  await launcher.click();
  await expect(frame.getByRole('alert')).toBeVisible();
  await page.unrouteAll();
  await frame.getByRole('button', { name: 'Try again' }).click();
  await expect(frame.getByText('Do you sell lamps?')).toBeVisible();
});

test('a page opened during an outage gets its widget once the server is back, without a reload', async ({
  page,
}) => {
  const launcher = page.locator('parley-widget button.launcher');
  const agent = /\/v1\/agent\//;
  let asked = 0;
  await page.route(agent, (route) => {
    asked += 1;
    return asked === 1
      ? route.abort()
      : route.fulfill({ status: 503, body: '{"code":"server/unavailable"}' });
  });
  await page.goto(host.page({ 'data-agent': agentId }));
  await page.evaluate(() => (window as unknown as { parley: { open: () => void } }).parley.open());
  await expect.poll(() => asked, { timeout: 10_000 }).toBe(2);
  await expect(launcher).toHaveCount(0);
  await page.unroute(agent);
  const frame = page.locator('parley-widget iframe').contentFrame();
  await expect(frame.getByRole('textbox', { name: 'Message' })).toBeVisible({ timeout: 15_000 });
});

test('a forgotten visitor’s first message is delivered all the same', async ({ page }) => {
  const launcher = page.locator('parley-widget button.launcher');
  const frame = page.locator('parley-widget iframe').contentFrame();
  const visitors: string[] = [];
  await page.route('**/v1/chat/authenticate', async (route) => {
    // After a day without a message nobody is recognized by their token.
    const response = await route.fetch({ postData: JSON.stringify({ chatbotId: agentId }) });
    const visit = (await response.json()) as { visitorId: string; expiresAt: string };
    visitors.push(visit.visitorId);
    // The first one is renewed a minute before it expires: when something is sent below.
    if (visitors.length === 1) visit.expiresAt = new Date(Date.now() + 70_000).toISOString();
    await route.fulfill({ response, json: visit });
  });
  await page.goto(host.page({ 'data-agent': agentId }));
  await launcher.click();
  await frame.getByRole('textbox', { name: 'Message' }).fill('Do you sell lamps?');
  expect(visitors).toHaveLength(1);
  await page.waitForTimeout(11_000);
  await page.keyboard.press('Enter');
  await expect(frame.getByText('Do you sell lamps?')).toBeVisible();
  await expect(frame.getByRole('button', { name: 'Regenerate' })).toBeVisible();
  expect(new Set(visitors).size).toBeGreaterThan(1);
});

test('pressing the launcher twice in a row leaves the chat usable', async ({ page }) => {
  const launcher = page.locator('parley-widget button.launcher');
  const frame = page.locator('parley-widget iframe').contentFrame();
  await page.goto(host.page({ 'data-agent': agentId }));
  await launcher.dblclick();
  await expect(frame.owner()).toBeHidden();
  // A hidden element is found only by its tag.
  await expect(frame.locator('textarea')).toBeAttached();
  await launcher.click();
  const field = frame.getByRole('textbox', { name: 'Message' });
  await expect(field).toBeVisible();
  const height = async () => (await field.boundingBox())?.height;
  await expect.poll(height).toBeGreaterThanOrEqual(24);
});

test('on a phone there is a way back to the site, whatever keeps the chat from loading', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const launcher = page.locator('parley-widget button.launcher');
  const panel = page.locator('parley-widget [role=dialog]');
  const frame = page.locator('parley-widget iframe').contentFrame();
  await page.goto(host.page({ 'data-agent': agentId, 'data-user-token': 'forged' }));
  await launcher.click();
  await expect(frame.getByRole('alert')).toBeVisible();
  await expect(launcher).toBeHidden();
  await frame.getByRole('button', { name: 'Close the chat' }).click();
  await expect(panel).toBeHidden();

  await page.goto(host.page({ 'data-agent': agentId }));
  await page.route(/\/embed\//, (route) => route.abort());
  await page.route(/\/authenticate/, (route) => route.abort());
  await launcher.click();
  await expect(panel.getByRole('alert')).toHaveText('The chat could not be loaded.');
  await launcher.click();
  await expect(panel).toBeHidden();
  await page.unrouteAll();
  await launcher.click();
  await expect(frame.getByRole('textbox', { name: 'Message' })).toBeVisible();
});

test('a message sent by the site after identifying a visitor is theirs, and signing out restores the earlier chat', async ({
  page,
}) => {
  const { secret } = await client.visitor.rotateEmbedSecret({ id: agentId });
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('customer-7')
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret));
  const frame = page.locator('parley-widget iframe').contentFrame();
  await page.goto(host.page({ 'data-agent': agentId }));
  await page.locator('parley-widget button.launcher').click();
  await frame.getByRole('textbox', { name: 'Message' }).fill('Asked by nobody');
  await page.keyboard.press('Enter');
  await expect(frame.getByRole('button', { name: 'Regenerate' })).toBeVisible();
  await page.evaluate((given) => {
    Reflect.get(window, 'parley').identify(given);
    Reflect.get(window, 'parley').send('Asked by a customer');
  }, token);
  await expect(frame.getByText('Asked by a customer', { exact: true })).toBeVisible();
  await expect(frame.getByText('Asked by nobody')).toHaveCount(0);
  await page.evaluate('window.parley.identify(null)');
  await expect(frame.getByText('Asked by nobody')).toBeVisible();
  await expect(frame.getByText('Asked by a customer')).toHaveCount(0);
});

const api = (page: Page, call: 'send' | 'identify', value: unknown) =>
  page.evaluate(([call, value]) => Reflect.get(window, 'parley')[call as string](value), [call, value]);

function consoleOf(page: Page): string[] {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  return said;
}

test('messages from the site wait in the frame until the visitor is known, then are sent', async ({
  page,
}) => {
  const { secret } = await client.visitor.rotateEmbedSecret({ id: agentId });
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('customer-8')
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret));
  const frame = page.locator('parley-widget iframe').contentFrame();
  await page.goto(host.page({ 'data-agent': agentId }));
  await api(page, 'send', 'Asked by nobody');
  await expect(frame.locator('li[aria-busy=false]')).toHaveCount(1);
  await api(page, 'identify', 'forged');
  await api(page, 'send', 'Held back');
  await expect(frame.getByRole('alert')).toContainText('could not confirm who you are');
  await api(page, 'send', 'And this');
  await expect(frame.getByRole('listitem')).toHaveText(['Held back', 'And this']);
  await api(page, 'identify', null);
  await expect(frame.locator('li[aria-busy=false]')).toHaveCount(3);
  await expect(frame.getByText('Asked by nobody')).toBeVisible();

  // A different visitor, for whom the server can't be reached, sees nothing of the previous one.
  await page.route(/\/authenticate/, (route) => route.abort());
  await api(page, 'identify', token);
  await api(page, 'send', 'Asked by a customer');
  await expect(frame.getByRole('alert')).toHaveText('The chat could not be reached.');
  await expect(frame.getByRole('listitem')).toHaveText(['Asked by a customer']);
  await page.unrouteAll();
  await frame.getByRole('button', { name: 'Try again' }).click();
  await expect(frame.locator('li[aria-busy=false]')).toHaveCount(1);
  await expect(frame.getByText('Asked by nobody')).toHaveCount(0);
});

test('a site that passes an invalid value or a second agent is warned in the console', async ({ page }) => {
  const said = consoleOf(page);
  const frame = page.locator('parley-widget iframe').contentFrame();
  await page.goto(host.page({ 'data-agent': agentId }));
  await api(page, 'send', 5);
  await api(page, 'send', 'x'.repeat(8001));
  await expect.poll(() => said.filter((text) => text.includes('parley.send() takes a text'))).toHaveLength(2);
  for (const token of [5, {}, 'x'.repeat(9000)]) {
    await api(page, 'identify', token);
    await expect(frame.getByRole('alert')).toContainText('could not confirm who you are');
    await api(page, 'identify', null);
    await expect(frame.getByRole('textbox', { name: 'Message' })).toBeVisible();
  }
  expect(said).toContainEqual('Parley: The user token is not a JWT. Send the token itself, as text.');
  await page.evaluate(`
    const { src } = document.querySelector('script[data-agent]');
    const policy = trustedTypes.createPolicy('page', { createScriptURL: (address) => address });
    for (const agent of ['${agentId}', 'another']) {
      const script = document.createElement('script');
      script.src = policy.createScriptURL(src);
      script.dataset.agent = agent;
      document.body.append(script);
    }
  `);
  const told = () => said.filter((text) => text.includes('already'));
  await expect.poll(told).toEqual([`Parley: This page already has a chat with ${agentId}.`]);
});

test('a visitor of a deleted agent is told so, and can copy their text', async ({ page }) => {
  const { chatbot } = await client.chatbot.create({ organizationId, name: 'Short-lived' });
  const frame = page.locator('parley-widget iframe').contentFrame();
  await page.goto(host.page({ 'data-agent': chatbot.id }));
  await api(page, 'send', 'Are you there?');
  await expect(frame.locator('li[aria-busy=false]')).toHaveCount(1);
  await client.chatbot.remove({ id: chatbot.id, organizationId });
  await api(page, 'send', 'And now?');
  await expect(frame.getByText(/it or its agent was deleted or moved/)).toBeVisible();
  await expect(frame.getByText('And now?')).toBeVisible();
  await page.evaluate('parley.identify(null)');
  await expect(frame.getByRole('alert')).toHaveText(/This agent no longer exists/);
});

test('choosing a file without writing begins no conversation, and the file survives a reload', async ({
  page,
}) => {
  const launcher = page.locator('parley-widget button.launcher');
  const frame = page.locator('parley-widget iframe').contentFrame();
  await page.goto(host.page({ 'data-agent': agentId }));
  await launcher.click();
  const choosing = page.waitForEvent('filechooser');
  await frame.getByRole('button', { name: 'Attach files' }).click();
  const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Lamps are bright.') };
  await (await choosing).setFiles([notes]);
  const removal = frame.getByRole('button', { name: 'Remove notes.txt' });
  await expect(removal).toBeVisible();
  await expect(frame.getByRole('progressbar')).toHaveCount(0);
  await page.reload();
  await launcher.click();
  await expect(removal).toBeVisible();
  await expect(frame.getByRole('progressbar')).toHaveCount(0);
  // There are no earlier conversations, and no button for a new one.
  for (const name of ['Earlier conversations', 'New conversation'])
    await expect(frame.getByRole('button', { name })).toHaveCount(0);
  await frame.getByRole('textbox', { name: 'Message' }).fill('What is this?');
  await frame.getByRole('button', { name: 'Send' }).click();
  await expect(frame.getByRole('button', { name: 'Regenerate' })).toBeVisible();
  await frame.getByRole('button', { name: 'Earlier conversations' }).click();
  const list = frame.getByRole('region', { name: 'Earlier conversations' });
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await list.getByRole('button', { name: /What is this/ }).click();
  await expect(frame.getByRole('button', { name: /notes\.txt/ })).toBeVisible();
});

/** The widget's frame, opened on a page of the site. */
async function inWindow(tab: Page) {
  await tab.goto(host.page({ 'data-agent': agentId }));
  await tab.locator('parley-widget button.launcher').click();
  const frame = tab.locator('parley-widget iframe').contentFrame();
  const field = frame.getByRole('textbox', { name: 'Message' });
  // The visitor is known then: the next window is theirs as well.
  await field.waitFor();
  const ask = async (text: string) => {
    await field.fill(text);
    await field.press('Enter');
    await expect(frame.getByText(text)).toBeVisible();
  };
  return { frame, field, ask };
}

test('a chat open during a deployment continues with the new code, and loses nothing', async ({
  page,
  context,
}) => {
  await page.goto(host.page({ 'data-agent': agentId }));
  const frame = page.locator('parley-widget iframe').contentFrame();
  await page.locator('parley-widget button.launcher').click();
  const field = frame.getByRole('textbox', { name: 'Message' });
  await field.waitFor();
  let isOld = true;
  await context.route(/\/embed\//, (route) => {
    isOld = false;
    return route.continue();
  });
  await context.route(/\/assets\//, (route) => (isOld ? route.fulfill({ status: 404 }) : route.continue()));
  await field.fill('Do you sell lamps?');
  await field.press('Enter');
  const again = frame.getByRole('button', { name: 'Send again' });
  const answer = frame.locator('li[aria-busy=false]');
  await expect(again.or(answer)).toBeVisible();
  if (await again.isVisible()) await again.click();
  await expect(answer).toHaveCount(1);
  await expect(frame.getByText('Do you sell lamps?')).toHaveCount(1);
  await context.unrouteAll();
});

test('of two windows on a site, the second shows messages of the first at once', async ({
  page,
  context,
}) => {
  const first = await inWindow(page);
  await first.ask('Do you sell lamps?');
  const second = await inWindow(await context.newPage());
  await expect(second.frame.getByText('Do you sell lamps?')).toBeVisible();
  await second.field.fill('Half a thought');
  await first.ask('And chairs?');
  // Without the notification it would poll after twenty seconds.
  await expect(second.frame.getByText('And chairs?')).toBeVisible({ timeout: 3000 });
  await expect(second.frame.locator('li[aria-busy]')).toHaveCount(2);
  await expect(second.field).toHaveValue('Half a thought');
});

test('a window opened before the first message continues a conversation begun in another', async ({
  page,
  context,
}) => {
  const first = await inWindow(page);
  const second = await inWindow(await context.newPage());
  await second.field.fill('Half a thought');
  await page.bringToFront();
  await first.ask('Do you sell lamps?');
  await expect(second.frame.getByText('Do you sell lamps?')).toBeVisible();
  await expect(second.field).toHaveValue('Half a thought');
  await second.ask('And chairs?');
  await expect(first.frame.getByText('And chairs?')).toBeVisible();
  // A visitor who asked for a new conversation has one, whatever is said elsewhere.
  await second.frame.getByRole('button', { name: 'New conversation' }).click();
  await first.ask('And tables?');
  await expect(first.frame.locator('li[aria-busy=false]')).toHaveCount(3);
  await expect(second.frame.getByText('And tables?')).toBeHidden();
});

test('two windows that open at the same moment belong to one new visitor', async ({ page, context }) => {
  const [first, second] = await Promise.all([inWindow(page), inWindow(await context.newPage())]);
  await first.ask('Do you sell lamps?');
  await expect(second.frame.getByText('Do you sell lamps?')).toBeVisible();
});

test('a page that replaces its body keeps the widget and its chat, and prints without it', async ({
  page,
}) => {
  await page.goto(host.page({ 'data-agent': agentId }));
  const launcher = page.locator('parley-widget button.launcher');
  const frame = page.locator('parley-widget iframe').contentFrame();
  const field = frame.getByRole('textbox', { name: 'Message' });
  await launcher.click();
  await field.fill('Do you sell lamps?');
  await field.press('Enter');
  await expect(frame.locator('li[aria-busy=false]')).toHaveCount(1);
  // Like apps that navigate between pages without loading: some run the new body's script, some have none there.
  await page.evaluate(`
    window.heard = [];
    parley.on('close', () => heard.push('close'));
    const { src, dataset } = document.querySelector('script[data-agent]');
    const script = document.createElement('script');
    const policy = trustedTypes.createPolicy('page', { createScriptURL: (address) => address });
    script.src = policy.createScriptURL(src);
    script.dataset.agent = dataset.agent;
    for (const parts of [['Another page', script], ['And another']]) {
      const next = document.createElement('body');
      next.append(...parts);
      document.body.replaceWith(next);
    }
  `);
  await expect(page.locator('parley-widget')).toHaveCount(1);
  await expect(frame.getByText('Do you sell lamps?')).toBeVisible();
  await field.fill('And chairs?');
  await field.press('Enter');
  await expect(frame.locator('li[aria-busy=false]')).toHaveCount(2);
  await page.emulateMedia({ media: 'print' });
  await expect(launcher).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  // By keyboard: until the frame has been painted again, the browser passes a click at its place to the page.
  await frame.getByRole('button', { name: 'Close the chat' }).press('Enter');
  await expect(launcher).toBeFocused();
  expect(await page.evaluate('heard')).toEqual(['close']);
});
