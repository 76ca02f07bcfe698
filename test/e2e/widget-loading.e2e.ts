import { expect, test } from '@playwright/test';
import { HostPage } from './host-page.ts';
import { startOwner } from './owner.ts';
import { Server } from './server.ts';

/** The widget while the visitor's earlier messages are loading. */

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

test('a message sent while the earlier ones are loading stays', async ({ page }) => {
  const frame = page.locator('parley-widget iframe').contentFrame();
  await page.goto(host.page({ 'data-agent': agentId }));
  await page.evaluate("window.parley.send('Asked before')");
  await expect(frame.locator('li[aria-busy=false]')).toHaveCount(1);
  // The earlier ones are read before the message arrives, and get here after it is answered.
  const { promise: areRead, resolve } = Promise.withResolvers<void>();
  await page.route(/\/message(\?|$)/, async (route) => {
    if (route.request().method() === 'POST') return areRead.then(() => route.continue());
    const response = await route.fetch();
    resolve();
    await page.waitForTimeout(4000);
    await route.fulfill({ response });
  });
  await page.reload();
  await page.evaluate("window.parley.send('Asked meanwhile')");
  await expect(frame.locator('li[aria-busy=false]')).toHaveCount(2);
  await page.waitForTimeout(5000);
  await expect(frame.locator('li[aria-busy=false]')).toHaveCount(2);
  await expect(frame.getByText('Asked meanwhile')).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
