import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test, type FrameLocator, type Locator, type Page } from '@playwright/test';
import { SignJWT } from 'jose';
import type { Client } from '../../src/contract/client.ts';
import type { ParleyContract } from '../../src/contract/index.ts';
import type { InputOf } from '../../src/contract/route.ts';
import type { chatbot } from '../../src/contract/chatbot.ts';
import { openBrowserClient } from '../browser-client.ts';
import { graveFaults } from './axe.ts';
import { HostPage } from './host-page.ts';
import { Server } from './server.ts';

/** The widget on another site, under that site's strict policy. */

const ANSWER = 'I only know about lamps.';

let server: Server;
let host: HostPage;
let stranger: HostPage;
let owner: Client<ParleyContract>;
let organizationId: string;
let agentId: string;
let restrictedId: string;

type Changes = Partial<Omit<InputOf<typeof chatbot.update>, 'id' | 'organizationId'>>;

async function makeAgent(changes: Changes): Promise<string> {
  const { id } = (await owner.chatbot.create({ organizationId, name: 'Lamp desk' })).chatbot;
  const shown = { isPublic: true, fallbackMessage: ANSWER, enableKnowledgeBaseMode: true };
  await owner.chatbot.update({ id, organizationId, ...shown, ...changes });
  return id;
}

test.beforeAll(async () => {
  // All visitors here share one address.
  server = await Server.start({ SEED_DEMO: 'off', GUEST_CONVERSATIONS_PER_HOUR: '1000' });
  host = await HostPage.start(server.url);
  stranger = await HostPage.start(server.url, '127.0.0.1');
  const browser = openBrowserClient(server.url);
  browser.adopt(await browser.client.identity.signInAsGuest());
  await browser.client.user.register({ name: 'Ada', username: 'ada' });
  browser.adopt((await browser.client.identity.refresh()).session ?? undefined);
  owner = browser.client;
  organizationId = (await owner.organization.create({ name: 'Lamps' })).organization.id;
  agentId = await makeAgent({});
  restrictedId = await makeAgent({ allowedOrigins: [host.url] });
});
test.afterAll(async () => {
  await host.close();
  await stranger.close();
  await server.remove();
});

interface Shown {
  launcher: Locator;
  frame: FrameLocator;
  field: Locator;
}

function widgetOn(page: Page): Shown {
  const frame = page.locator('parley-widget iframe').contentFrame();
  return {
    launcher: page.locator('parley-widget button.launcher'),
    frame,
    field: frame.getByRole('textbox', { name: 'Message' }),
  };
}

/** Opens the panel and waits for the composer. */
async function openChat(page: Page, url: string): Promise<Shown> {
  await page.goto(url);
  const shown = widgetOn(page);
  await shown.launcher.click();
  await shown.field.waitFor();
  return shown;
}

async function ask({ frame, field }: Shown, question: string): Promise<void> {
  const before = await answers(frame).count();
  await field.fill(question);
  await field.press('Enter');
  await expect(answers(frame)).toHaveCount(before + 1);
  await expect(frame.locator('[aria-busy=true]')).toHaveCount(0);
}

const answers = (frame: FrameLocator) => frame.getByRole('listitem').getByText(ANSWER, { exact: true });

/** Everything the page's policy blocks, from the start. */
function violationsOf(page: Page): string[] {
  const found: string[] = [];
  page.on('console', (message) => {
    if (/content security policy|trusted type/i.test(message.text())) found.push(message.text());
  });
  return found;
}

for (const [device, viewport] of Object.entries({
  desktop: { width: 1440, height: 900 },
  phone: { width: 360, height: 740 },
})) {
  test(`on a ${device} a visitor opens it, chats, and finds the conversation again`, async ({ page }) => {
    await page.setViewportSize(viewport);
    const violations = violationsOf(page);
    const url = host.page({ 'data-agent': agentId });
    const shown = await openChat(page, url);
    const panel = page.getByRole('dialog', { name: 'Lamp desk' });
    const box = await panel.boundingBox();
    if (device === 'phone') expect(box).toMatchObject({ x: 0, y: 0, ...viewport });
    else expect(box).toMatchObject({ width: 400, height: 680 });
    await ask(shown, 'Do you sell lamps?');
    await shown.frame.getByRole('button', { name: 'Close the chat' }).click();
    await expect(panel).toBeHidden();
    await expect(shown.launcher).toBeFocused();

    await page.reload();
    await shown.launcher.click();
    await expect(shown.frame.getByText('Do you sell lamps?')).toBeVisible();
    await shown.frame.getByRole('button', { name: 'New conversation' }).click();
    await expect(shown.frame.getByText('Do you sell lamps?')).toBeHidden();
    await ask(shown, 'And tables?');
    await expect(shown.frame.getByText('Do you sell lamps?')).toBeHidden();
    await shown.frame.getByRole('button', { name: 'Earlier conversations' }).click();
    const list = shown.frame.getByRole('region', { name: 'Earlier conversations' });
    await expect(list.getByRole('listitem')).toHaveCount(2);
    await list.getByRole('button', { name: 'Do you sell lamps?' }).click();
    await expect(list).toBeHidden();
    await expect(shown.frame.getByText('Do you sell lamps?')).toBeVisible();
    await ask(shown, 'And chairs?');
    expect(violations).toEqual([]);
  });
}

test('an answer is rated, files are attached, and both are there when the visitor returns', async ({
  page,
}) => {
  const url = host.page({ 'data-agent': agentId });
  const shown = await openChat(page, url);
  const { frame } = shown;
  const choosing = page.waitForEvent('filechooser');
  await frame.getByRole('button', { name: 'Attach files' }).click();
  await (
    await choosing
  ).setFiles([
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Lamps are bright.') },
    { name: 'tool.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') },
    {
      name: 'lamp.jpg',
      mimeType: 'image/jpeg',
      buffer: await readFile('test/fixtures/astronaut.jpg'),
    },
  ]);
  await expect(frame.getByText('tool.exe is not a supported file type.')).toBeVisible();
  await expect(frame.getByRole('status', { name: /is uploading/ })).toHaveCount(0);
  await shown.field.fill('What are these?');
  await expect(frame.getByRole('button', { name: 'Send' })).toBeEnabled();
  await ask(shown, 'What are these?');
  await frame.getByRole('button', { name: 'Bad answer' }).click();
  await frame.getByText('Incomplete').click();
  await frame.getByRole('button', { name: 'Send feedback' }).click();
  await expect(frame.getByRole('form', { name: 'Reason' })).toBeHidden();

  const again = await openChat(page, url);
  await expect(again.frame.getByRole('button', { name: /notes\.txt/ })).toBeVisible();
  await expect(again.frame.getByRole('img', { name: 'lamp.jpg' })).toBeVisible();
  await expect(again.frame.getByRole('button', { name: 'Bad answer' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
});

test('a page with an integrity hash runs that script and no other', async ({ page }) => {
  const script = Buffer.from(await (await fetch(`${server.url}/widget.js`)).arrayBuffer());
  const hashOf = (text: Buffer) => `sha384-${createHash('sha384').update(text).digest('base64')}`;
  const shown = await openChat(page, host.page({ 'data-agent': agentId, integrity: hashOf(script) }));
  await ask(shown, 'Lamps?');
  const refused = page.waitForEvent('console', (message) => message.text().includes('integrity'));
  const other = hashOf(Buffer.concat([script, Buffer.from(' ')]));
  await page.goto(host.page({ 'data-agent': agentId, integrity: other }));
  await refused;
  await expect(page.locator('parley-widget')).toHaveCount(0);
});

test('a page can open, send and listen through window.parley, even before the script has loaded', async ({
  page,
}) => {
  await page.goto(host.page({ 'data-agent': agentId }));
  await expect.poll(() => page.evaluate('window.isReady')).toBe(true);
  await page.evaluate(`
    window.heard = [];
    for (const name of ['open', 'close', 'message', 'unread'])
      window.parley.on(name, (detail) => window.heard.push([name, detail?.role ?? detail ?? null]));
    window.parley.send('First');
    window.parley.send('Second');
    window.parley.close();
  `);
  const { launcher, frame } = widgetOn(page);
  await expect(launcher).toHaveAccessibleName('Chat with Lamp desk, new messages: 2');
  await expect(launcher.locator('.count')).toHaveText('2');
  expect(await page.evaluate('window.heard')).toEqual([
    ['open', null],
    ['close', null],
    ['message', 'user'],
    ['message', 'assistant'],
    ['unread', 1],
    ['message', 'user'],
    ['message', 'assistant'],
    ['unread', 2],
  ]);
  await page.evaluate('window.parley.open()');
  await expect(frame.getByText('Second', { exact: true })).toBeVisible();
  await expect(launcher).toHaveAccessibleName('Close the chat');
  await expect(launcher.locator('.count')).toBeHidden();
});

test('an identified visitor finds their conversation in another browser, and nobody else does', async ({
  browser,
}) => {
  const id = await makeAgent({});
  const { secret } = await owner.visitor.rotateEmbedSecret({ id });
  const token = await new SignJWT({ name: 'Grace' })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('customer-7')
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret));
  const url = host.page({ 'data-agent': id });
  const begin = async (given: string | null) => {
    const page = await (await browser.newContext()).newPage();
    const shown = await openChat(page, url);
    if (given !== null) {
      // The named visitor's conversations replace those of the anonymous one.
      const listed = page.waitForResponse(/\/v1\/chat\?/, { timeout: 5000 }).catch(() => null);
      await page.evaluate((given) => Reflect.get(window, 'parley').identify(given), given);
      await listed;
    }
    return { page, shown };
  };
  const first = await begin(token);
  await ask(first.shown, 'Where is my lamp?');
  const second = await begin(token);
  await expect(second.shown.frame.getByText('Where is my lamp?')).toBeVisible();
  await second.page.evaluate('window.parley.identify(null)');
  await expect(second.shown.frame.getByText('Where is my lamp?')).toBeHidden();
  const forged = await begin(`${token.slice(0, -6)}AAAAAA`);
  await expect(forged.shown.frame.getByRole('alert')).toHaveText(/could not confirm who you are/);
  await forged.page.goto(host.page({ 'data-agent': id, 'data-user-token': 'none' }));
  await forged.shown.launcher.click();
  await expect(forged.shown.frame.getByRole('alert')).toBeVisible();
  await forged.page.evaluate((given) => Reflect.get(window, 'parley').identify(given), token);
  await expect(forged.shown.frame.getByText('Where is my lamp?')).toBeVisible();
});

test('a restricted agent works only on its own site, and its address only says where', async ({ page }) => {
  const shown = await openChat(page, host.page({ 'data-agent': restrictedId }));
  await ask(shown, 'Lamps?');

  await page.goto(stranger.page({ 'data-agent': restrictedId }));
  await widgetOn(page).launcher.click();
  await expect(page.locator('parley-widget').getByRole('alert')).toHaveText(
    'This agent is not available on this site.',
  );

  await page.goto(`${server.url}/embed/${restrictedId}`);
  await expect(page.getByRole('alert')).toHaveText('This agent is not available on this site.');
  await expect(page.getByRole('link', { name: new URL(host.url).host })).toHaveAttribute('href', host.url);
  await expect(page.getByRole('textbox')).toHaveCount(0);
});

test('a page whose policy forbids the frame learns what is missing', async ({ page }) => {
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(host.page({ 'data-agent': agentId, unframed: 'yes' }));
  await widgetOn(page).launcher.click();
  await expect(page.locator('parley-widget').getByRole('alert')).toHaveText('The chat could not be loaded.');
  expect(errors.some((text) => text.includes(`must allow ${server.url} in frame-src`))).toBe(true);
});

test('an open agent’s address works on its own', async ({ page }) => {
  await page.goto(`${server.url}/embed/${agentId}`);
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('Lamps?');
  await field.press('Enter');
  await expect(page.getByRole('listitem').getByText(ANSWER)).toBeVisible();
  await page.reload();
  await expect(page.getByText('Lamps?')).toBeVisible();
});

test('a whole conversation works by keyboard alone', async ({ page }) => {
  await page.goto(host.page({ 'data-agent': agentId }));
  const { launcher, frame, field } = widgetOn(page);
  await launcher.waitFor();
  await page.keyboard.press('Tab');
  await expect(launcher).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(field).toBeFocused();
  await page.keyboard.type('By keyboard?');
  await page.keyboard.press('Enter');
  await expect(frame.getByRole('button', { name: 'Regenerate' })).toBeVisible();
  await page.keyboard.press('ArrowUp');
  await expect(frame.getByRole('textbox', { name: 'Edit the message' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(launcher).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(field).toBeFocused();
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`axe finds nothing serious in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const url = host.page({
      'data-agent': agentId,
      'data-proactive': 'Can I help?',
      'data-proactive-after': '0',
    });
    await page.goto(url);
    await page.getByRole('button', { name: 'Can I help?' }).waitFor();
    expect(await graveFaults(page)).toEqual([]);
    const shown = await openChat(page, url);
    expect(await graveFaults(page)).toEqual([]);
    await ask(shown, 'Lamps?');
    expect(await graveFaults(page)).toEqual([]);
  });

test('a proactive message appears beside the launcher, once, and can be dismissed', async ({ page }) => {
  const proactive = { 'data-proactive': 'Can I help?', 'data-proactive-after': '0.2' } as const;
  await page.goto(host.page({ 'data-agent': agentId, ...proactive }));
  const bubble = page.getByRole('button', { name: 'Can I help?' });
  await bubble.waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(bubble).toBeHidden();
  await page.reload();
  await bubble.click();
  await expect(widgetOn(page).field).toBeFocused();
  await expect(bubble).toBeHidden();
});

test('messages that are forged, huge or malformed are ignored on both sides', async ({ page }) => {
  const shown = await openChat(page, host.page({ 'data-agent': agentId }));
  await page.evaluate(`{
    window.heard = 0;
    window.parley.on('message', () => (window.heard += 1));
    const frame = document.querySelector('parley-widget').shadowRoot.querySelector('iframe').contentWindow;
    // Of the right origin, but not the frame's window.
    window.postMessage({ type: 'said', role: 'assistant', text: 'forged' }, '*');
    window.postMessage({ type: 'close' }, '*');
    // Of the right window, in no form that is known.
    for (const message of [
      null, 7, 'send', [], { type: 'send' }, { type: 'send', text: 7 }, { type: 'send', text: 'x'.repeat(300000) },
      JSON.parse('{"__proto__":{"type":"send","text":"forged"}}'), { type: 'visit', visit: { token: 1 } },
      { type: 'visit', visit: { visitorId: 'a', token: 'b', expiresAt: 'c' } }, { type: 'constructor' },
    ]) frame.postMessage(message, '*');
  }`);
  // From another window of the same site.
  await page.evaluate(async () => {
    const other = document.createElement('iframe');
    other.src = '/other';
    document.querySelector('main')?.append(other);
    await new Promise((resolve) => other.addEventListener('load', resolve));
  });
  await page.frame({ url: `${host.url}/other` })?.evaluate(`
    parent.document.querySelector('parley-widget').shadowRoot.querySelector('iframe').contentWindow
      .postMessage({ type: 'send', text: 'forged' }, '*');
  `);
  await ask(shown, 'Real?');
  await expect(shown.frame.getByText('forged')).toHaveCount(0);
  expect(await page.evaluate('window.heard')).toBe(2);
});

test('a page posing as another site learns nothing stored for that site', async ({ page }) => {
  await page.goto(stranger.url);
  const heard = await page.evaluate(
    async (address) => {
      const heard: unknown[] = [];
      addEventListener('message', ({ data }) => heard.push(data));
      const frame = document.createElement('iframe');
      frame.src = address;
      document.body.append(frame);
      await new Promise((resolve) => frame.addEventListener('load', resolve));
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return heard;
    },
    `${server.url}/embed/${agentId}#${encodeURIComponent(host.url)}`,
  );
  expect(heard).toEqual([]);
});

test('a hostile host page gains nothing from the widget, and loses nothing to it', async ({ page }) => {
  const shown = await openChat(page, host.page({ 'data-agent': agentId, hostile: 'yes' }));
  await ask(shown, 'Still there?');
  expect(await page.evaluate('window.name')).toBe('mine');
  const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
  expect(stored).toBe('[{"secret":"of the page"},{}]');
  const ours = 'Object.getOwnPropertyNames(window).filter((name) => /parley/i.test(name))';
  expect(await page.evaluate(ours)).toEqual(['parley']);
});
