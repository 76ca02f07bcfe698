import { expect, test } from '@playwright/test';
import { HostPage } from './host-page.ts';
import { startOwner } from './owner.ts';
import { Server } from './server.ts';

/** The widget in windows and on pages of unusual size. */

let server: Server;
let host: HostPage;
let agentId: string;

test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
  host = await HostPage.start(server.url);
  ({ agentId } = await startOwner(server));
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
