import { expect, test, type Page } from '@playwright/test';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** Form input is not lost, and missing data is reported as missing. */

let server: Server;
let owner: Owner;
let knowledgeId: string;

test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
  owner = await startOwner(server);
  const { client, agentId: id, organizationId } = owner;
  const item = { id, organizationId, type: 'text', description: 'Hours', text: 'Open from nine.' } as const;
  knowledgeId = (await client.knowledge.create(item)).knowledge.id;
});
test.afterAll(() => server.remove());
test.beforeEach(({ context }) => owner.signIn(context));
test.afterEach(({ context }) => owner.keepSession(context));

const isAgent = (url: URL) => url.pathname === `/v1/chatbot/${owner.agentId}`;
const leaving = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });

test('edits made during a save remain unsaved changes', async ({ page }) => {
  await page.goto(`${owner.agentBase}/settings/instructions`);
  const field = page.getByLabel('Instructions', { exact: true });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  let letThrough = (): void => undefined;
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route(isAgent, async (route) => {
    if (route.request().method() === 'PUT') await held;
    await route.continue();
  });
  await field.fill('You are brief.');
  await save.click();
  await field.fill('You are brief. You are friendly.');
  letThrough();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(save).toBeEnabled();
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await expect(leaving(page)).toBeVisible();
  await leaving(page).getByRole('button', { name: 'Cancel' }).click();
  await save.click();
  const { client, agentId: id, organizationId } = owner;
  const stored = async () => (await client.chatbot.get({ id, organizationId })).chatbot.customInstructions;
  await expect.poll(stored).toBe('You are brief. You are friendly.');
  await expect(save).toBeDisabled();
});

/** The window becomes visible when its data is old enough to be reloaded. */
async function lookAgain(page: Page): Promise<void> {
  await page.clock.setSystemTime((await page.evaluate(() => Date.now())) + 10_500);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
}

test('another member’s save appears, except over unsaved edits', async ({ page }) => {
  const { client, agentId: id, organizationId, agentBase } = owner;
  const readAgain = async () => {
    const read = page.waitForResponse((answer) => isAgent(new URL(answer.url())));
    await lookAgain(page);
    await read;
  };
  await page.goto(`${agentBase}/settings/instructions`);
  const field = page.getByLabel('Instructions', { exact: true });
  await expect(field).toBeVisible();
  await client.chatbot.update({ id, organizationId, customInstructions: 'From elsewhere.' });
  await readAgain();
  await expect(field).toHaveValue('From elsewhere.');
  await field.fill('From here.');
  await client.chatbot.update({ id, organizationId, customInstructions: 'From elsewhere again.' });
  await readAgain();
  await page.waitForTimeout(500);
  await expect(field).toHaveValue('From here.');
});

test('another member’s change to the same field is not silently overwritten', async ({ page }) => {
  const { client, agentId: id, organizationId, agentBase } = owner;
  const stored = async () => (await client.chatbot.get({ id, organizationId })).chatbot;
  await client.chatbot.update({ id, organizationId, customInstructions: 'As it was.' });
  await page.goto(`${agentBase}/settings/instructions`);
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await page.getByLabel('Instructions', { exact: true }).fill('Mine.');
  await client.chatbot.update({ id, organizationId, customInstructions: 'Theirs.' });
  await save.click();
  await expect(page.getByText(/^Someone else has changed this/)).toBeVisible();
  expect((await stored()).customInstructions).toBe('Theirs.');
  await save.click();
  await expect.poll(async () => (await stored()).customInstructions).toBe('Mine.');

  await page.goto(`${agentBase}/settings/share`);
  await page.getByRole('button', { name: 'Add a site' }).click();
  await page.getByLabel('Site 1', { exact: true }).fill('https://mine.example');
  await client.chatbot.update({ id, organizationId, allowedOrigins: ['https://theirs.example'] });
  const sites = page.locator('form').filter({ has: page.getByRole('group', { name: 'Allowed sites' }) });
  await sites.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/^Someone else has changed this/)).toBeVisible();
  expect((await stored()).allowedOrigins).toEqual(['https://theirs.example']);
  await client.chatbot.update({ id, organizationId, allowedOrigins: [] });

  await page.goto(`${agentBase}/settings/profile/skins`);
  await page.getByRole('radio', { name: 'Harbour' }).check({ force: true });
  const { appearance } = await stored();
  await client.chatbot.update({ id, organizationId, appearance: { ...appearance, radius: 3 } });
  await save.click();
  await expect(page.getByText(/^Someone else has changed this/)).toBeVisible();
  await save.click();
  await expect.poll(async () => (await stored()).appearance.skin).toBe('harbour');

  // Nobody else made a change: one save is enough.
  await page.goto(`${agentBase}/settings/model`);
  await page.getByLabel('Temperature').fill('0.7');
  await save.first().click();
  await expect.poll(async () => (await stored()).modelSettings.temperature).toBe(0.7);
});

test('of two members who save the same field at once, the second is asked', async ({ page }) => {
  const { client, agentId: id, organizationId, agentBase } = owner;
  const stored = async () => (await client.chatbot.get({ id, organizationId })).chatbot.customInstructions;
  await client.chatbot.update({ id, organizationId, customInstructions: 'As it was.' });
  await page.goto(`${agentBase}/settings/instructions`);
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const field = page.getByLabel('Instructions', { exact: true });
  await field.fill('Mine.');
  // The other save arrives while this one is in progress.
  let isFirst = true;
  await page.route(isAgent, async (route) => {
    if (route.request().method() === 'PUT' && isFirst) {
      isFirst = false;
      await client.chatbot.update({ id, organizationId, customInstructions: 'Theirs.' });
    }
    await route.continue();
  });
  await save.click();
  await expect(page.getByText(/^Someone else has changed this/)).toBeVisible();
  expect(await stored()).toBe('Theirs.');
  await expect(field).toHaveValue('Mine.');
  await save.click();
  await expect.poll(stored).toBe('Mine.');

  // One's own saves are known.
  await field.fill('Mine again.');
  await save.click();
  await expect.poll(stored).toBe('Mine again.');
});

test('another tab’s changes to other fields are not reverted', async ({ page }) => {
  const { client, agentId: id, organizationId, agentBase, base } = owner;
  await client.chatbot.update({ id, organizationId, isPublic: true, welcomeMessage: 'Hello.' });
  await page.goto(`${agentBase}/settings/profile`);
  await page.getByRole('textbox', { name: 'Welcome message' }).fill('Good day.');
  await client.chatbot.update({ id, organizationId, isPublic: false, name: 'Renamed' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  const { chatbot } = await client.chatbot.get({ id, organizationId });
  expect(chatbot).toMatchObject({ isPublic: false, name: 'Renamed', welcomeMessage: 'Good day.' });
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Renamed');

  const { team } = await client.team.create({ organizationId, name: 'Night shift' });
  await page.goto(`${base}/account/teams/${team.id}`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Day shift');
  await client.team.update({ id: team.id, agents: [id] });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('checkbox', { name: 'Renamed' })).toBeChecked();
  expect((await client.team.get({ id: team.id })).team).toMatchObject({ name: 'Day shift', agents: [id] });
  await client.chatbot.update({ id, organizationId, isPublic: true, name: 'Helper' });
  await client.team.remove({ id: team.id });
});

test('a failed refresh of the agent does not affect unsaved edits', async ({ page }) => {
  await page.goto(`${owner.agentBase}/settings/instructions`);
  const field = page.getByLabel('Instructions', { exact: true });
  await field.fill('Half a sentence');
  const failed = page.waitForResponse((answer) => isAgent(new URL(answer.url())) && answer.status() === 403);
  await page.route(isAgent, (route) => route.fulfill({ status: 403, json: {} }));
  await lookAgain(page);
  await failed;
  await page.waitForTimeout(500);
  await expect(field).toHaveValue('Half a sentence');
});

test('unsaved knowledge and team edits are not left by mistake', async ({ page }) => {
  const { team } = await owner.client.team.create({ organizationId: owner.organizationId, name: 'Support' });
  const written: [path: string, label: string][] = [
    [`${owner.agentBase}/knowledge/create/text`, 'Text'],
    [`${owner.agentBase}/knowledge/create/qa`, 'Answer'],
    [`${owner.agentBase}/knowledge/${knowledgeId}/edit`, 'Text'],
    [`${owner.base}/account/teams/${team.id}`, 'Name'],
  ];
  for (const [path, label] of written) {
    await page.goto(path);
    const field = page.getByRole('textbox', { name: label, exact: true });
    await field.fill('Much that was thought about');
    await page.getByRole('link', { name: 'All agents', exact: true }).click();
    await leaving(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(field).toHaveValue('Much that was thought about');
  }
  await page.goto(`${owner.agentBase}/knowledge/${knowledgeId}/edit`);
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Open from ten.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(new RegExp(`${knowledgeId}$`));
});

test('text typed into a tool’s form during a save stays, and remains unsaved', async ({ page }) => {
  const { client, agentId, organizationId, agentBase } = owner;
  const { tool } = await client.tool.create({
    organizationId,
    agentId,
    kind: 'builtin',
    name: 'Contact',
  });
  const gates: (() => void)[] = [];
  await page.route(`**/v1/platform/tool/${tool.id}`, async (route) => {
    if (route.request().method() === 'PUT') await new Promise<void>((resolve) => gates.push(resolve));
    await route.continue();
  });
  const fields = [
    ['settings', 'Name'],
    ['connection', 'Question'],
  ] as const;
  for (const [index, [view, name]] of fields.entries()) {
    await page.goto(`${agentBase}/plugins/tool/${tool.id}?view=${view}`);
    if (view === 'connection') await page.getByRole('button', { name: 'Add a field' }).click();
    const field = page.getByRole('textbox', { name, exact: true }).first();
    const save = page.locator('form').filter({ has: field }).getByRole('button', { name: 'Save' });
    await field.fill('Sent ');
    await save.click();
    await expect.poll(() => gates.length).toBe(index + 1);
    await field.fill('Sent and more');
    gates[index]?.();
    await expect(save).toBeEnabled();
    await expect(field).toHaveValue('Sent and more');
    await field.fill('Sent');
    await expect(save).toBeDisabled();
  }
  const { tool: stored } = await client.tool.get({ id: tool.id });
  expect([stored.name, stored.form[0]?.label]).toEqual(['Sent', 'Sent']);
});

test('unsaved organization forms are not left by mistake, and saved ones are left freely', async ({
  page,
}) => {
  const { base, agentBase, client } = owner;
  const forms = [
    [`${base}/account/members/invite`, 'E-mail addresses'],
    [`${base}/account/organization/edit`, 'Name'],
    [`${base}/account/profile`, 'Name'],
    [`${base}/inbox/settings`, 'Outside these hours'],
    [`${base}/agent/create`, 'Name'],
    [`${agentBase}/knowledge/create/website`, 'Address'],
    [`${agentBase}/knowledge/create/product`, 'Addresses'],
  ] as const;
  for (const [address, label] of forms) {
    await page.goto(address);
    const field = page.getByRole('textbox', { name: label, exact: true });
    await field.fill('Half');
    await page.getByRole('link', { name: 'All agents', exact: true }).click();
    await leaving(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(field).toHaveValue('Half');
  }
  await page.goto(`${base}/agent/create`);
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await page.getByLabel('Name', { exact: true }).fill('Second');
  await page.getByRole('button', { name: 'Create agent' }).click();
  await expect(page).toHaveURL(/\/knowledge$/);
  await page.goto(`${base}/inbox/settings`);
  await page.getByLabel('Outside these hours').fill('We are away.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await page.getByRole('link', { name: 'All agents', exact: true }).click();
  await expect(page).toHaveURL(/\/agent$/);
  const { setting } = await client.inbox.getSetting({
    organizationId: owner.organizationId,
  });
  expect(setting.awayMessage).toBe('We are away.');
});

test('a long name wraps, and the account’s address leads to the profile', async ({ page }) => {
  const { client, agentId: id, organizationId, agentBase, base } = owner;
  const description = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz'
    .repeat(2)
    .slice(0, 100);
  const { knowledge } = await client.knowledge.create({
    id,
    organizationId,
    type: 'text',
    description,
    text: 'A law.',
  });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${agentBase}/knowledge/${knowledge.id}`);
  await expect(page.getByRole('heading', { level: 1, name: description })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.goto(`${base}/account`);
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
});

test('activity lists fit the window, however long the names', async ({ page }) => {
  const { client, agentId: id, organizationId, agentBase, base } = owner;
  const [me] = (await client.member.list({ orgId: organizationId })).members;
  const { userId: uid = '', name = '' } = me ?? {};
  await client.user.updateProfile({ uid, name: 'W'.repeat(80) });
  await client.chatbot.update({ id, organizationId, welcomeMessage: 'Welcome.' });
  for (const address of [`${agentBase}/settings/versions`, `${base}/account/audit`]) {
    await page.goto(address);
    await expect(page.getByRole('cell', { name: 'WWW' }).first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  }
  await client.user.updateProfile({ uid, name });
});

test('a registered person is not asked to register', async ({ page }) => {
  await page.goto(`${server.url}/auth/register`);
  await expect(page).toHaveURL(/\/auth\/register\/onboarding$/);
});

test('registration states the maximum name length, and accepts a username pasted with spaces around it', async ({
  page,
  context,
}) => {
  await owner.keepSession(context);
  await context.clearCookies();
  await page.goto(`${server.url}/auth`);
  await page.getByRole('button', { name: 'Continue as guest' }).click();
  await expect(page).toHaveURL(/\/auth\/register$/);
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('x'.repeat(300));
  await page.getByLabel('Username').fill('  Grace-1 ');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(name).toBeFocused();
  await expect(page.getByText('Name can have at most 80 characters.')).toBeVisible();
  await name.fill('Grace');
  await expect(page.getByText('This username is available.')).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).not.toHaveURL(/\/auth\/register$/);
  await context.clearCookies();
  await owner.signIn(context);
});

test('a guest changes their name without having to choose a username', async ({ page, context }) => {
  await owner.keepSession(context);
  await context.clearCookies();
  await page.goto(`${server.url}/auth`);
  await page.getByRole('button', { name: 'Continue as guest' }).click();
  await expect(page).toHaveURL(/\/auth\/register$/);
  await page.goto(`${server.url}/app/account`);
  const [name, username] = [page.getByLabel('Name', { exact: true }), page.getByLabel('Username')];
  await name.fill('Bea');
  await username.fill('b');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await expect(username).toBeFocused();
  await username.fill('');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.reload();
  await expect(name).toHaveValue('Bea');
  await context.clearCookies();
  await owner.signIn(context);
});

test('an unknown address shows a not-found page', async ({ page }) => {
  const gone = (id: string) => id.replace(/.{4}$/, '0000');
  const places = [
    `${owner.base}/agent/${gone(owner.agentId)}/home`,
    `${owner.agentBase}/knowledge/${gone(knowledgeId)}`,
    `${owner.agentBase}/settings/versions/999`,
    `${owner.agentBase}/storefront/stf_01h455vb4pex5vsknk084sn02q/edit`,
  ];
  for (const place of places) {
    await page.goto(place);
    await expect(page.getByRole('heading', { name: 'This page could not be found.' }), place).toBeVisible();
    await expect(page, place).toHaveTitle('This page could not be found. · Parley');
    await expect(page.getByText('That did not work')).toHaveCount(0);
  }
});

test('focus returns to where it was after a dialog', async ({ page }) => {
  const openings: [path: string, button: string][] = [
    [`${owner.base}/account/api-keys`, 'Create key'],
    [`${owner.base}/account/models`, 'Add provider'],
    [`${owner.base}/account/teams`, 'Create team'],
    [`${owner.agentBase}/settings/instructions`, 'Publish'],
    [`${owner.agentBase}/settings/danger`, 'Delete this agent'],
  ];
  for (const [path, name] of openings) {
    await page.goto(path);
    const button = page.getByRole('main').getByRole('button', { name, exact: true }).first();
    await button.press('Enter');
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(button, path).toBeFocused();
  }
});
