import { expect, test } from '@playwright/test';
import { HostPage } from './host-page.ts';
import { startOwner } from './owner.ts';
import { Server } from './server.ts';

/** The widget where calls fail, and where people do what they need not. */

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

test('a last conversation that cannot be read for now is said to be, and is there when one tries again', async ({
  page,
}) => {
  const launcher = page.locator('parley-widget button.launcher');
  const frame = page.locator('parley-widget iframe').contentFrame();
  await page.goto(host.page({ 'data-agent': agentId }));
  await launcher.click();
  await frame.getByRole('textbox', { name: 'Message' }).fill('Do you sell lamps?');
  await page.keyboard.press('Enter');
  await expect(frame.getByRole('button', { name: 'Answer once more' })).toBeVisible();
  await page.route(/\/v1\/chat\?/, (route) => route.fulfill({ status: 503, body: 'busy' }));
  await page.reload();
  await launcher.click();
  await expect(frame.getByRole('alert')).toBeVisible();
  await page.unrouteAll();
  await frame.getByRole('button', { name: 'Try again' }).click();
  await expect(frame.getByText('Do you sell lamps?')).toBeVisible();
});

test('a launcher that is pressed twice in a row opens a chat in which one can write', async ({ page }) => {
  const launcher = page.locator('parley-widget button.launcher');
  const frame = page.locator('parley-widget iframe').contentFrame();
  await page.goto(host.page({ 'data-agent': agentId }));
  await launcher.dblclick();
  await expect(frame.owner()).toBeHidden();
  // What is not shown is found by its element alone.
  await expect(frame.locator('textarea')).toBeAttached();
  await launcher.click();
  const field = frame.getByRole('textbox', { name: 'Message' });
  await expect(field).toBeVisible();
  const height = async () => (await field.boundingBox())?.height;
  await expect.poll(height).toBeGreaterThanOrEqual(24);
});
