import { expect, test, type Browser, type Page } from '@playwright/test';
import { OAuth2Server } from 'oauth2-mock-server';
import { startOwner } from './owner.ts';
import { Server } from './server.ts';

/** People: a guest who signs in keeps everything, invited people see what their role allows, removed people are out. */

let server: Server;
let google: OAuth2Server;

test.beforeAll(async () => {
  google = new OAuth2Server();
  await google.issuer.keys.generate('RS256');
  await google.start(0, '127.0.0.1');
  server = await Server.start({
    SEED_DEMO: 'off',
    GOOGLE_CLIENT_ID: 'parley',
    GOOGLE_CLIENT_SECRET: 'secret',
    GOOGLE_ISSUER: google.issuer.url ?? '',
  });
});
test.afterAll(async () => {
  await server.remove();
  await google.stop();
});

async function newPage(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage();
}

/** Starts without an account, registers, and creates an agent. */
async function buildAsGuest(
  page: Page,
  { name, username, agent }: Record<'name' | 'username' | 'agent', string>,
) {
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Start building' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Username').fill(username);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Start building' }).click();
  await expect(page).toHaveURL(/\/platform\/org_\w+\/agent\/create$/);
  await page.getByLabel('Name', { exact: true }).fill(agent);
  await page.getByRole('button', { name: 'Create agent' }).click();
  await expect(page).toHaveURL(/\/knowledge$/);
}

const organizationOf = (page: Page) => /org_\w+/.exec(page.url())?.[0] ?? '';

const account = (organization: string, path: string) =>
  `${server.url}/platform/${organization}/account/${path}`;

/** The link in the newest email to a person that leads to a page with that name. */
async function linkTo(page: Page, email: string, path: string): Promise<string> {
  const inbox = await page.context().newPage();
  await inbox.goto(`${server.url}/dev/inbox`);
  const mail = inbox.locator('article', { hasText: `To ${email}` }).first();
  const link = await mail.getByRole('link', { name: path }).first().getAttribute('href');
  await inbox.close();
  return link ?? '';
}

/** From a page that has sent a sign-in link to the end of the sign-in. */
async function confirmEmail(page: Page, email: string): Promise<void> {
  await expect(page).toHaveURL(/email-confirmation/);
  await page.goto(await linkTo(page, email, 'email-verification'));
}

async function invite(page: Page, emails: string, role: string): Promise<void> {
  await page.goto(account(organizationOf(page), 'members/invite'));
  await page.getByLabel('E-mail addresses').fill(emails);
  await page.getByLabel('Role').selectOption(role);
  await page.getByRole('button', { name: 'Send invites' }).click();
  await expect(page).toHaveURL(/\/account\/members$/);
}

/** Opens the invitation in another browser, signs in there by email, and accepts. */
async function accept(page: Page, email: string): Promise<void> {
  await page.goto(await linkTo(page, email, 'auth/invite'));
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send sign-in link' }).click();
  await confirmEmail(page, email);
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page).toHaveURL(/\/platform\/org_\w+\/agent$/);
}

test('a guest who signs in with an e-mail link keeps what they built', async ({ page }) => {
  await buildAsGuest(page, { name: 'Grace Hopper', username: 'grace', agent: 'Compiler desk' });
  const organization = organizationOf(page);
  await page.goto(account(organization, 'profile'));
  await expect(page.getByText('You are a guest')).toBeVisible();
  await page.getByRole('button', { name: 'Add e-mail address' }).click();
  await page.getByRole('textbox', { name: 'E-mail' }).fill('grace@example.com');
  await page.getByRole('button', { name: 'Send link' }).click();
  await confirmEmail(page, 'grace@example.com');
  await expect(page).toHaveURL(account(organization, 'profile'));
  await expect(page.getByText('E-mail link', { exact: true })).toBeVisible();

  await page.goto(`${server.url}/auth/signout`);
  await expect(page).toHaveURL(`${server.url}/`);
  await page.goto(`${server.url}/auth`);
  await page.getByLabel('E-mail').fill('grace@example.com');
  await page.getByRole('button', { name: 'Send sign-in link' }).click();
  await confirmEmail(page, 'grace@example.com');
  await expect(page).toHaveURL(`${server.url}/platform/${organization}/agent`);
  await expect(page.getByRole('main').getByText('Compiler desk')).toBeVisible();
});

test('two invited people accept in separate browsers and see exactly what their roles allow', async ({
  page,
  browser,
}) => {
  await buildAsGuest(page, { name: 'Ada Lovelace', username: 'ada', agent: 'Engine desk' });
  const organization = organizationOf(page);
  const knowledge = page.url();
  await page.goto(`${knowledge}/create/text`);
  await page.getByLabel('Name', { exact: true }).fill('Opening hours');
  await page.getByLabel('Text', { exact: true }).fill('We open at nine.');
  await page.getByRole('button', { name: 'Add knowledge' }).click();
  const item = await page.getByRole('link', { name: 'Opening hours' }).first().getAttribute('href');
  await invite(page, 'edith@example.com, ewan@example.com', 'editor');
  await expect(page.getByRole('table', { name: 'Invites' }).getByText('Pending')).toHaveCount(2);
  await page.getByRole('button', { name: 'Revoke the invite to ewan@example.com' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('Revoked', { exact: true })).toBeVisible();
  await invite(page, 'vera@example.com', 'viewer');

  const editor = await newPage(browser);
  await accept(editor, 'edith@example.com');
  await expect(editor.getByRole('main').getByText('Engine desk')).toBeVisible();
  await expect(editor.getByRole('main').getByRole('link', { name: 'Create agent' }).first()).toBeVisible();
  await editor.goto(account(organization, 'members/invite'));
  await expect(editor.getByText('Your role does not allow this')).toBeVisible();

  const viewer = await newPage(browser);
  await accept(viewer, 'vera@example.com');
  await expect(viewer.getByRole('main').getByText('Engine desk')).toBeVisible();
  await expect(viewer.getByRole('link', { name: 'Create agent' })).toHaveCount(0);
  await viewer.keyboard.press('Control+k');
  const palette = viewer.getByRole('dialog', { name: 'Search agents' });
  await palette.getByRole('combobox').fill('agent');
  await expect(palette.getByRole('option', { name: 'Agents', exact: true })).toBeVisible();
  await expect(palette.getByRole('option', { name: 'Create agent' })).toHaveCount(0);
  await palette.getByRole('combobox').fill('invite');
  await expect(palette.getByRole('option')).toHaveCount(0);
  await viewer.keyboard.press('Escape');
  await viewer.goto(`${server.url}/platform/${organization}/inbox/settings`);
  await expect(viewer.getByText('Your role does not allow this')).toBeVisible();
  for (const path of ['api-keys', 'audit', 'organization/edit']) {
    await viewer.goto(account(organization, path));
    await expect(viewer.getByText('Your role does not allow this')).toBeVisible();
    await expect(viewer.getByRole('navigation').getByRole('link', { name: 'Audit log' })).toHaveCount(0);
  }

  // Pages that a role can't open say so below their usual title.
  for (const path of ['', '/file', '/website']) {
    await viewer.goto(`${knowledge}/create${path}`);
    await expect(viewer.getByRole('heading', { level: 1, name: 'Add knowledge' })).toBeVisible();
    await expect(viewer.getByText('Your role does not allow this')).toBeVisible();
  }
  await viewer.goto(`${server.url}${item}/edit`);
  await expect(viewer.getByRole('heading', { level: 1, name: 'Edit Opening hours' })).toBeVisible();
  await expect(viewer.getByText('Your role does not allow this')).toBeVisible();
  await expect(viewer).toHaveTitle('Edit · Opening hours · Knowledge · Engine desk · Parley');

  await page.goto(account(organization, 'members'));
  const members = page.getByRole('table', { name: 'Members' });
  await expect(members.getByRole('row', { name: /edith@example\.com.*Editor/ })).toBeVisible();
  await expect(members.getByRole('row', { name: /vera@example\.com.*Viewer/ })).toBeVisible();
  await page.goto(account(organization, 'audit'));
  await expect(page.getByText('vera@example.com').first()).toBeVisible();

  // Only changes are sent: another admin may be changing a person's teams at the same moment.
  await page.goto(account(organization, 'members'));
  await members.getByRole('link', { name: 'vera' }).click();
  await page.getByLabel('Role').selectOption('editor');
  const sent = page.waitForRequest(
    (request) => request.method() === 'PUT' && request.url().includes('/member/'),
  );
  await page.getByRole('button', { name: 'Save' }).click();
  expect((await sent).postDataJSON()).toEqual({ role: 'editor' });
  await expect(page.getByText('Saved')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
});

test('many members, invites and keys can be searched', async ({ page, context }) => {
  const { client, organizationId, base, signIn } = await startOwner(server, 'kim');
  await client.member.invite({ organizationId, email: 'lena@example.com, milo@example.com', role: 'viewer' });
  for (let number = 1; number <= 13; number += 1)
    await client.apiKey.create({ organizationId, name: `Key ${number}`, scope: 'read' });
  await signIn(context);
  await page.goto(`${base}/account/members`);
  const search = page.getByRole('searchbox', { name: 'Search members and invites' });
  await search.fill('LENA');
  const invites = page.getByRole('table', { name: 'Invites' });
  await expect(invites.getByText('lena@example.com')).toBeVisible();
  await expect(invites.getByText('milo@example.com')).toHaveCount(0);
  await search.fill('nobody');
  await expect(page.getByText('No invites found.')).toBeVisible();
  await page.goto(`${base}/account/api-keys`);
  await page.getByRole('searchbox', { name: 'Search keys' }).fill('key 13');
  await expect(page.getByRole('row', { name: /^Key/ })).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Search keys' }).fill('no such');
  await expect(page.getByText('No keys found')).toBeVisible();
});

test('saving a profile sends only the changes, and shows what is stored', async ({ page }) => {
  await buildAsGuest(page, { name: 'Pia Pan', username: 'pia', agent: 'Own desk' });
  await page.goto(account(organizationOf(page), 'profile'));
  await page.getByLabel('Name', { exact: true }).fill('  Pia Woolf ');
  const sent = page.waitForRequest(
    (request) => request.method() === 'PUT' && request.url().endsWith('/profile'),
  );
  const you = page.getByRole('region', { name: 'You' });
  await you.getByRole('button', { name: 'Save' }).click();
  expect((await sent).postDataJSON()).toEqual({ name: '  Pia Woolf ' });
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Pia Woolf');
  await expect(you.getByRole('button', { name: 'Save' })).toBeDisabled();
});

test('a used sign-in link says so once, and leads to a new one', async ({ page }) => {
  await page.goto(`${server.url}/auth/email-verification?token=used`);
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('link', { name: 'Get a new link' })).toBeVisible();
  await expect(page.getByText('This sign-in link is not valid.')).toHaveCount(1);
});

test('a brief network failure does not use up a sign-in link', async ({ page }) => {
  await page.goto(`${server.url}/auth`);
  await page.getByLabel('E-mail').fill('nora@example.com');
  await page.getByRole('button', { name: 'Send sign-in link' }).click();
  await expect(page).toHaveURL(/email-confirmation/);
  const link = await linkTo(page, 'nora@example.com', 'email-verification');
  await page.route('**/email-link/confirm', (route) => route.abort());
  await page.goto(link);
  await expect(page.getByRole('alert')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page).not.toHaveURL(/\/auth\/email/);
});

test('deleting the only organization creates another, even with another name and in two tabs', async ({
  page,
}) => {
  // Too long for an organization's name, and cut inside an emoji.
  const name = `a${'😀'.repeat(60)}`;
  await buildAsGuest(page, { name, username: 'again', agent: 'Gone desk' });
  const gone = organizationOf(page);
  await page.goto(account(gone, 'organization'));
  await page.getByRole('button', { name: 'Delete this organization' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(`a${'😀'.repeat(39)}`);
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page).not.toHaveURL(new RegExp(gone));
  await expect(page).toHaveURL(/\/platform\/org_\w+\/agent\/create$/);
  await expect(page.getByRole('heading', { name: 'Create agent' })).toBeVisible();
  const second = organizationOf(page);
  await page.evaluate(async (id) => {
    const call = (method: string, path: string, body: object) =>
      fetch(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const { organization } = (await (await fetch(`/v1/platform/organization/${id}`)).json()) as {
      organization: { name: string };
    };
    await call('DELETE', `/v1/platform/organization/${id}`, { name: organization.name });
  }, second);
  const other = await page.context().newPage();
  await Promise.all([page, other].map((tab) => tab.goto(`${server.url}/platform`)));
  for (const tab of [page, other]) {
    await expect(tab).not.toHaveURL(new RegExp(second));
    await expect(tab).toHaveURL(/\/platform\/org_\w+\/agent(\/create)?$/);
  }
  expect(organizationOf(other)).toBe(organizationOf(page));
});

test('a removed member loses access in an open tab within five seconds', async ({ page, browser }) => {
  await buildAsGuest(page, { name: 'Olga Owner', username: 'olga', agent: 'Front desk' });
  const organization = organizationOf(page);
  const agent = page.url().replace(/\/knowledge$/, '');
  await invite(page, 'rudi@example.com', 'editor');
  const member = await newPage(browser);
  await accept(member, 'rudi@example.com');
  await expect(member.getByRole('main').getByText('Front desk')).toBeVisible();
  // Unsaved changes there stop nobody.
  const writing = await member.context().newPage();
  await writing.goto(`${agent}/settings/instructions`);
  await writing.getByLabel('Instructions', { exact: true }).fill('Be brief.');
  await expect(writing.getByRole('button', { name: 'Save' })).toBeEnabled();

  await page.goto(account(organization, 'members'));
  await page.getByRole('link', { name: 'rudi' }).click();
  await page.getByRole('button', { name: 'Remove member' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('rudi');
  await dialog.getByRole('button', { name: 'Remove member' }).click();
  await expect(page).toHaveURL(/\/account\/members$/);
  await expect(member).not.toHaveURL(new RegExp(organization), { timeout: 5000 });
  await expect(member.getByText('You are no longer a member')).toBeVisible();
  await expect(member.getByText('Front desk')).toHaveCount(0);
  await expect(writing).not.toHaveURL(new RegExp(organization), { timeout: 5000 });
  await expect(writing.getByText('Front desk')).toHaveCount(0);

  // Their actions can still be found by their name.
  await page.goto(account(organization, 'audit'));
  await page.getByLabel('Person').selectOption('rudi');
  const log = page.getByRole('table', { name: 'Audit log' });
  await expect(log.getByRole('cell', { name: 'Olga Owner' })).toHaveCount(0);
  await expect(log.getByRole('cell', { name: 'rudi', exact: true })).not.toHaveCount(0);
});

test('a guest who signs in with Google keeps what they built', async ({ page }) => {
  google.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
    Object.assign(token.payload, { email: 'linus@example.com', email_verified: true, name: 'Linus' });
  });
  await buildAsGuest(page, { name: 'Linus Guest', username: 'linus', agent: 'Kernel desk' });
  const organization = organizationOf(page);
  await page.goto(account(organization, 'profile'));
  await page.getByRole('button', { name: 'Link Google' }).click();
  await expect(page).toHaveURL(account(organization, 'profile'), { timeout: 15_000 });
  await expect(page.getByText('Google', { exact: true })).toBeVisible();
  await expect(page.getByText('You are a guest')).toHaveCount(0);
  await page.goto(`${server.url}/platform/${organization}/agent`);
  await expect(page.getByRole('main').getByText('Kernel desk')).toBeVisible();

  await page.goto(`${server.url}/auth/signout`);
  await expect(page).toHaveURL(`${server.url}/`);
  await page.goto(`${server.url}/auth`);
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await expect(page).toHaveURL(`${server.url}/platform/${organization}/agent`, { timeout: 15_000 });
  await expect(page.getByRole('main').getByText('Kernel desk')).toBeVisible();
});
