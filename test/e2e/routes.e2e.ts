import { expect, test, type BrowserContext, type Page, type ConsoleMessage } from '@playwright/test';
import { shopDocument } from '../stand-ins/openapi-service.ts';
import { openBrowserClient } from '../browser-client.ts';
import { graveFaults } from './axe.ts';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/**
 * Every route of the specification, section 2, on a phone and on a wide screen, light and dark: it has its title and
 * one main part, is as wide as the window, and neither the console nor axe reports anything grave.
 */

const looks = [
  { width: 360, height: 740, colorScheme: 'light' },
  { width: 360, height: 740, colorScheme: 'dark' },
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 1440, height: 900, colorScheme: 'dark' },
] as const;

/** Four looks with axe, on a slow and busy machine. */
const ROUTE_MAX_MS = 20_000;

let server: Server;
let owner: Owner;
let knowledgeId: string;
let memberId: string;
let teamId: string;
let conversationId: string;
let testSetId: string;
let pluginId: string;
let toolId: string;
let productId: string;
let storefrontId: string;
let userId: string;

test.beforeAll(async () => {
  server = await Server.start();
  owner = await startOwner(server);
  const { client, organizationId, agentId } = owner;
  const { knowledge } = await client.knowledge.create({
    id: agentId,
    organizationId,
    type: 'text',
    description: 'Opening hours',
    text: 'We are open from nine to five.',
  });
  const { members } = await client.member.list({ orgId: organizationId });
  const { team } = await client.team.create({ organizationId, name: 'Support' });
  const { conversation } = await client.chat.create({ chatbotId: agentId, text: 'When are you open?' });
  const cases = [{ question: 'When are you open?', expectations: [] }];
  const made = await client.testSet.create({ id: agentId, organizationId, name: 'Basics', cases });
  const { tool } = await client.tool.create({ organizationId, agentId, name: 'Shop' });
  const text = JSON.stringify(shopDocument('https://shop.example.com'));
  await client.tool.update({ id: tool.id, schema: { text } });
  toolId = tool.id;
  const settingsData = { url: 'https://shop.example.com/parley', events: ['answer.completed'] };
  pluginId = (await client.plugin.create({ chatbotId: agentId, type: 'webhook', settingsData })).plugin.id;
  testSetId = made.testSet.id;
  productId = (await client.product.create({ organizationId, agentId })).product.id;
  storefrontId = (await client.storefront.create({ agentId })).storefront.id;
  knowledgeId = knowledge.id;
  memberId = members[0]?.id ?? '';
  teamId = team.id;
  conversationId = conversation.id;
  userId = (await client.endUser.list({ id: agentId })).users[0]?.id ?? '';
});
test.afterAll(() => server.remove());
test.afterEach(({ context }) => owner.keepSession(context));

type Route = [path: string, title: string];

const open: Route[] = [
  ['/', 'Parley'],
  ['/auth', 'Sign in · Parley'],
  ['/auth?signup=true', 'Sign in · Parley'],
  ['/auth/email-confirmation', 'Check your e-mail · Parley'],
  ['/auth/email-verification', 'Confirm your e-mail · Parley'],
  ['/auth/invite', 'Invite · Parley'],
  ['/checkout/confirmation', 'This page could not be found. · Parley'],
  ['/chat', 'Conversations · Parley'],
  ['/chat/parley', 'Parley guide · Conversations · Parley'],
  ['/app/voicemail', 'Voicemail · Parley'],
  ['/app/learn', 'Learn · Parley'],
  ['/nowhere', 'This page could not be found. · Parley'],
];

/** Where a guest becomes a member. */
const ofGuest: Route[] = [['/auth/register', 'Complete your profile · Parley']];

const own = (): Route[] => [
  // A member has been asked already.
  ['/auth/register', 'Welcome · Parley'],
  ['/auth/register/onboarding', 'Welcome · Parley'],
  ['/app/account', 'Profile · Parley'],
  ['/app/membership', 'Membership · Parley'],
  [`/chat/${conversationId}`, 'When are you open? · Helper · Conversations · Parley'],
];

const ofOrganization = (): Route[] => [
  ['agent', 'Agents · Parley'],
  ['agent/create', 'Create agent · Agents · Parley'],
  ['agent/trash', 'Deleted agents · Agents · Parley'],
  ['account/api-keys', 'API keys · Parley'],
  ['account/audit', 'Audit log · Parley'],
  ['inbox', 'Inbox · Parley'],
  [`inbox/${conversationId}`, 'Conversation · Inbox · Parley'],
  ['inbox/settings', 'Inbox settings · Inbox · Parley'],
  ['account/billing', 'Billing · Parley'],
  ['account/members', 'Members · Parley'],
  ['account/members/invite', 'Invite members · Members · Parley'],
  [`account/members/${memberId}`, 'ada · Members · Parley'],
  ['account/models', 'Models · Parley'],
  ['account/organization', 'Organization · Parley'],
  ['account/organization/edit', 'Edit organization · Organization · Parley'],
  ['account/profile', 'Profile · Parley'],
  ['account/teams', 'Teams · Parley'],
  [`account/teams/${teamId}`, 'Support · Teams · Parley'],
];

const ofAgent = (): Route[] => [
  ['home', 'Home'],
  ['insights', 'Insights'],
  ['knowledge', 'Knowledge'],
  [`knowledge/${knowledgeId}`, 'Opening hours · Knowledge'],
  [`knowledge/${knowledgeId}/edit`, 'Edit · Opening hours · Knowledge'],
  ['knowledge/create', 'Add knowledge · Knowledge'],
  ['knowledge/create/file', 'Files · Add knowledge · Knowledge'],
  ['knowledge/create/product', 'Products · Add knowledge · Knowledge'],
  ['knowledge/create/qa', 'Question and answer · Add knowledge · Knowledge'],
  ['knowledge/create/text', 'Text · Add knowledge · Knowledge'],
  ['knowledge/create/website', 'Website · Add knowledge · Knowledge'],
  ['plugins', 'Tools & plugins'],
  ['plugins/create', 'Add a tool or channel · Tools & plugins'],
  ['plugins/create?kind=openapi', 'Add a tool or channel · Tools & plugins'],
  [`plugins/tool/${toolId}`, 'Shop · Tools & plugins'],
  [`plugins/tool/${toolId}?view=connection`, 'Shop · Tools & plugins'],
  [`plugins/tool/${toolId}?view=settings`, 'Shop · Tools & plugins'],
  [`plugins/${pluginId}`, 'Plugin · Tools & plugins'],
  ['plugins/telegram/install', 'Install a plugin · Tools & plugins'],
  [`plugins/webhook/${pluginId}`, 'Plugin · Tools & plugins'],
  ['pricing-plans', 'Pricing plans'],
  [`pricing-plans/${productId}`, 'New plan · Pricing plans'],
  ['settings', 'Instructions · Settings'],
  ['settings/danger', 'Danger · Settings'],
  ['settings/instructions', 'Instructions · Settings'],
  ['settings/model', 'Model · Settings'],
  ['settings/profile', 'Profile · Settings'],
  ['settings/profile/skins', 'Skins · Profile · Settings'],
  ['settings/share', 'Share · Settings'],
  ['settings/tests', 'Tests · Settings'],
  [`settings/tests/${testSetId}`, 'Basics · Tests · Settings'],
  ['settings/versions', 'Versions · Settings'],
  ['settings/versions/1', 'Version 1 · Versions · Settings'],
  ['setup', 'Setup'],
  ['storefront', 'Storefront'],
  [`storefront/${storefrontId}/edit`, 'Edit storefront · Storefront'],
  ['users', 'Users'],
  [`users/${userId}`, 'User · Users'],
];

async function visit(page: Page, [path, title]: Route): Promise<string[]> {
  const problems: string[] = [];
  // The page itself being a 404 is correct if it doesn't exist.
  const isOfPage = (message: ConsoleMessage) => message.location().url === server.url + path;
  const listen = (message: ConsoleMessage) =>
    message.type() === 'error' && !isOfPage(message) && problems.push(`console: ${message.text()}`);
  page.on('console', listen);
  await page.goto(server.url + path);
  await page
    .waitForFunction((wanted) => document.title === wanted, title, { timeout: 10_000 })
    .catch(async () => problems.push(`is titled ${await page.title()}`));
  await expect(page.locator('main h1, main h2').first(), path).toBeVisible();
  for (const { colorScheme, ...size } of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    problems.push(
      ...(await faultsOf(page, size.width, colorScheme === 'dark')).map(
        (fault) => `${size.width} ${colorScheme}: ${fault}`,
      ),
    );
  }
  page.off('console', listen);
  return problems.map((problem) => `${path} ${problem}`);
}

/** In dark mode only colors differ. */
async function faultsOf(page: Page, width: number, isDark: boolean): Promise<string[]> {
  const mains = await page.locator('main:visible').count();
  const scrolled = await page.evaluate(() => document.documentElement.scrollWidth);
  // The frames on these pages, our own previews, run no scripts.
  const grave = await graveFaults(page, {
    isTopOnly: true,
    ...(isDark ? { rules: ['color-contrast'] } : {}),
  });
  return [
    ...(mains === 1 ? [] : [`${mains} main parts`]),
    ...(scrolled <= width ? [] : [`${scrolled} pixels wide`]),
    ...grave,
  ];
}

async function visitAll(context: BrowserContext, routes: readonly Route[]): Promise<void> {
  test.setTimeout(60_000 + routes.length * ROUTE_MAX_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  for (const route of routes) problems.push(...(await visit(page, route)));
  expect(problems).toEqual([]);
}

test('a visitor can open the public routes', async ({ context }) => {
  await visitAll(context, open);
});

test('a guarded route redirects a visitor to sign up', async ({ page }) => {
  await page.goto(`${server.url}/platform`);
  await expect(page).toHaveURL(/\/auth\?signup=true/);
});

test('an invalid platform address is not found, and shows a visitor nothing of the platform', async ({
  page,
}) => {
  for (const path of ['/platform/org_xyz/agent', `${new URL(owner.base).pathname}/agent/agt_xyz/home`]) {
    await page.goto(server.url + path);
    await expect(page.getByRole('heading', { name: 'This page could not be found.' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
    await expect(page.getByRole('link', { name: /^(Inbox|All agents)/ })).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Search or go to/ })).toHaveCount(0);
  }
});

test('a guest becoming a member can open their routes', async ({ browser }) => {
  const { client, jar } = openBrowserClient(server.url);
  await client.identity.signInAsGuest();
  const context = await browser.newContext();
  await context.addCookies([...jar].map(([name, value]) => ({ name, value, url: server.url })));
  await visitAll(context, ofGuest);
  await context.close();
});

test('the owner can open the routes of an organization', async ({ context }) => {
  await owner.signIn(context);
  const organization = new URL(owner.base).pathname;
  await visitAll(context, [
    ...own(),
    ...ofOrganization().map(([path, title]): Route => [`${organization}/${path}`, title]),
  ]);
});

test('the owner can open the routes of an agent', async ({ context }) => {
  await owner.signIn(context);
  const agent = new URL(owner.agentBase).pathname;
  await visitAll(
    context,
    ofAgent().map(([path, title]): Route => [`${agent}/${path}`, `${title} · Helper · Parley`]),
  );
});

test('/platform leads to the agents, and signing out leads to the front page', async ({ context, page }) => {
  const other = await startOwner(server, 'bob');
  await other.signIn(context);
  await page.goto(`${server.url}/platform`);
  await expect(page).toHaveURL(`${other.base}/agent`);
  await page.goto(`${server.url}/auth/signout`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(`${server.url}/`);
  await page.goto(`${server.url}/platform`);
  await expect(page).toHaveURL(/\/auth\?signup=true/);
});
