import { expect, test, type Page } from '@playwright/test';
import { HostPage } from './host-page.ts';
import { Server } from './server.ts';

/** What an agent's owner chooses about its look, and how it then looks on a site. */

let server: Server;
let host: HostPage;
test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
  host = await HostPage.start(server.url);
});
test.afterAll(async () => {
  await host.close();
  await server.remove();
});

/** The launcher's distance from the page's left edge. */
async function launcherAt(page: Page, agent: string): Promise<number> {
  await page.goto(host.page({ 'data-agent': agent }));
  const launcher = page.locator('parley-widget button.launcher');
  await launcher.waitFor();
  return (await launcher.boundingBox())?.x ?? Number.NaN;
}

test('the widget appears in the chosen corner, and voice is switched on', async ({ page }) => {
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Start building' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  await page.getByLabel('Username').fill('ada');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Start building' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Helper');
  await page.getByRole('button', { name: 'Create agent' }).click();
  await page.waitForURL(/\/agent\/agt_/);
  const [settings = ''] = /^.*\/agent\/agt_\w+/.exec(page.url()) ?? [];
  const agent = settings.slice(settings.lastIndexOf('/') + 1);

  await page.goto(`${settings}/settings/profile`);
  await page.getByRole('switch', { name: 'Voice' }).check({ force: true });
  await page.getByRole('switch', { name: 'Public' }).setChecked(true, { force: true });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  expect(await launcherAt(page, agent)).toBeGreaterThan(700);

  await page.goto(`${settings}/settings/profile/skins`);
  const corner = page.getByRole('combobox', { name: 'Corner of the page' });
  await expect(corner).toHaveValue('right');
  await corner.selectOption('Bottom left');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.reload();
  await expect(corner).toHaveValue('left');
  expect(await launcherAt(page, agent)).toBeLessThan(100);

  await page.goto(`${settings}/settings/profile`);
  await expect(page.getByRole('switch', { name: 'Voice' })).toBeChecked();
});
