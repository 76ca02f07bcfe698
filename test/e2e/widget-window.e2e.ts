import { expect, test } from '@playwright/test';
import { SignJWT } from 'jose';
import type { TestClient } from '../client.ts';
import { HostPage } from './host-page.ts';
import { startOwner } from './owner.ts';
import { Server } from './server.ts';

/**
 * The widget in windows and on pages of unusual size, on sites that change pages without loading them, and on a computer
 * that several people use.
 */

let server: Server;
let host: HostPage;
let agentId: string;
let client: TestClient;

test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
  host = await HostPage.start(server.url);
  ({ agentId, client } = await startOwner(server));
});
test.afterAll(async () => {
  await host.close();
  await server.remove();
});

test('on a phone held sideways the chat has the whole screen', async ({ page }) => {
  await page.setViewportSize({ width: 740, height: 360 });
  await page.goto(host.page({ 'data-agent': agentId }));
  const launcher = page.locator('parley-widget button.launcher');
  await launcher.click();
  const frame = page.locator('parley-widget iframe');
  await expect(frame.contentFrame().getByRole('textbox', { name: 'Message' })).toBeVisible();
  await expect(launcher).toBeHidden();
  expect(await frame.boundingBox()).toEqual({ x: 0, y: 0, width: 740, height: 360 });
  await frame.contentFrame().getByRole('button', { name: 'Close' }).click();
  await expect(launcher).toBeVisible();
});

test('on a page that enlarges itself all of the chat is within the window', async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 800 });
  await page.goto(host.page({ 'data-agent': agentId }));
  await page.evaluate("document.documentElement.style.zoom = '1.5'");
  await page.locator('parley-widget button.launcher').click();
  await expect(page.locator('parley-widget .panel')).toBeInViewport({ ratio: 1 });
});

test('a message is said on the page on which the widget was last opened', async ({ page }) => {
  const saidOn = page
    .waitForRequest(/\/message$/)
    .then((request) => request.postDataJSON() as { page: string });
  const address = host.page({ 'data-agent': agentId });
  const { origin } = new URL(address);
  await page.goto(address);
  const launcher = page.locator('parley-widget button.launcher');
  await launcher.click();
  const chat = page.locator('parley-widget iframe').contentFrame();
  await expect(chat.getByRole('textbox', { name: 'Message' })).toBeVisible();
  await launcher.click();
  await page.evaluate("history.pushState(null, '', '/lamps/brass?token=secret#top')");
  await launcher.click();
  await chat.getByRole('textbox', { name: 'Message' }).fill('What does it cost?');
  await page.keyboard.press('Enter');
  expect((await saidOn).page).toBe(`${origin}/lamps/brass`);
});

test('a visitor is not told of answers that somebody before them has not read', async ({ page }) => {
  const { secret } = await client.visitor.rotateEmbedSecret({ id: agentId });
  const tokenOf = (subject: string) =>
    new SignJWT({ name: subject })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(subject)
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(secret));
  const identify = async (token: string) => {
    const visited = page.waitForResponse(/\/authenticate/);
    await page.evaluate((given) => Reflect.get(window, 'parley').identify(given), token);
    await visited;
  };
  await page.goto(host.page({ 'data-agent': agentId, 'data-user-token': await tokenOf('customer-1') }));
  await page.evaluate("window.parley.send('Do you sell lamps?'); window.parley.close()");
  const unread = page.getByRole('button', { name: 'Chat with Helper, new messages: 1' });
  await expect(unread).toBeVisible();
  // A site renews its user's token from time to time.
  await identify(await tokenOf('customer-1'));
  await page.waitForTimeout(500);
  await expect(unread).toBeVisible();
  await identify(await tokenOf('customer-2'));
  await expect(page.getByRole('button', { name: 'Chat with Helper', exact: true })).toBeVisible();
});
