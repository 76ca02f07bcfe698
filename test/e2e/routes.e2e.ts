import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { Server } from './server.ts';

/** Every route of the specification, section 2: it opens, has a title and one main part, and nothing complains. */

let server: Server;
test.beforeAll(async () => {
  server = await Server.start();
});
test.afterAll(() => server.remove());

const open = [
  '/',
  '/auth',
  '/auth?signup=true',
  '/auth/email-confirmation',
  '/auth/email-verification',
  '/auth/invite',
  '/checkout/confirmation',
  '/chat',
  '/chat/parley',
  '/app/voicemail',
  '/app/learn',
];

const signedIn = ['/auth/register', '/auth/register/onboarding', '/app/account', '/app/membership'];

const ofOrganization = [
  'agent',
  'agent/create',
  'account/billing',
  'account/members',
  'account/members/invite',
  'account/organization',
  'account/organization/edit',
  'account/profile',
  'account/teams',
];

const ofAgent = [
  'home',
  'insights',
  'knowledge',
  'plugins',
  'pricing-plans',
  'settings',
  'setup',
  'storefront',
  'users',
  'knowledge/create',
  'knowledge/create/file',
  'knowledge/create/product',
  'knowledge/create/qa',
  'knowledge/create/text',
  'knowledge/create/website',
  'plugins/create',
  'settings/danger',
  'settings/instructions',
  'settings/profile',
  'settings/profile/skins',
  'settings/share',
];

async function register(page: Page): Promise<{ organization: string; agent: string }> {
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Start building' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  await page.getByLabel('Username').fill('ada');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Open the platform' }).click();
  await page.getByRole('link', { name: 'Create agent' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Helper');
  await page.getByRole('button', { name: 'Create agent' }).click();
  await page.waitForURL(/\/agent\/agt_/);
  const [, organization = '', agent = ''] = /platform\/(org_\w+)\/agent\/(agt_\w+)/.exec(page.url()) ?? [];
  return { organization, agent };
}

async function visit(page: Page, path: string): Promise<void> {
  const problems: string[] = [];
  page.removeAllListeners('console');
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(server.url + path);
  await expect(page.locator('main'), path).toHaveCount(1);
  await expect(page, path).toHaveTitle(/\S+/);
  await expect(page.getByRole('heading').first(), path).toBeAttached();
  const { violations } = await new AxeBuilder({ page }).analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(grave.map(({ id, nodes }) => `${path}: ${id} ${nodes[0]?.html}`)).toEqual([]);
  expect(problems, path).toEqual([]);
}

test('the open routes, for a visitor', async ({ page }) => {
  for (const path of open) await visit(page, path);
});

test('a route that is none shows the page for that', async ({ page }) => {
  await page.goto(`${server.url}/nowhere`);
  await expect(page.getByRole('heading', { name: 'This page could not be found.' })).toBeVisible();
});

test('a guarded route sends a visitor to sign up', async ({ page }) => {
  await page.goto(`${server.url}/platform`);
  await expect(page).toHaveURL(/\/auth\?signup=true/);
});

test('the routes of an organization and of an agent, for its owner', async ({ page }) => {
  test.setTimeout(300_000);
  const { organization, agent } = await register(page);
  for (const path of signedIn) await visit(page, path);
  for (const path of ofOrganization) await visit(page, `/platform/${organization}/${path}`);
  for (const path of ofAgent) await visit(page, `/platform/${organization}/agent/${agent}/${path}`);
});
