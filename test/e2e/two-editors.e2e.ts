import { expect, test, type Locator, type Page } from '@playwright/test';
import { expectNothingGrave } from './nothing-grave.ts';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** Two people edit the same settings: neither replaces the other's without being told. */

let server: Server;
let owner: Owner;

test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
  owner = await startOwner(server);
});
test.afterAll(() => server.remove());

/** Saves a field's form where someone else has saved meanwhile: refused once, and then theirs is replaced. */
async function saveOver(page: Page, field: Locator): Promise<Locator> {
  const save = page.locator('form', { has: field }).getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await expect(page.getByText('Someone else has changed this in the meantime.')).toBeVisible();
  await save.click();
  await expect(save).toBeDisabled();
  await expect(save).not.toHaveAttribute('data-loading');
  return save;
}

test('a plugin’s settings are only replaced knowingly', async ({ page }) => {
  const { client, agentId, agentBase, signIn } = owner;
  const settingsData = { address: 'help@shop.example', name: 'The shop' };
  const { plugin } = await client.plugin.create({ chatbotId: agentId, type: 'email', settingsData });
  await signIn(page.context());
  await page.goto(`${agentBase}/plugins/email/${plugin.id}`);
  const name = page.getByLabel('Sender name');
  await name.fill('My shop');
  const theirs = { address: 'hello@shop.example', name: 'Their shop' };
  await client.plugin.update({ id: plugin.id, settingsData: theirs });
  const save = await saveOver(page, name);
  const read = async () => (await client.plugin.get({ id: plugin.id })).plugin.settingsData;
  // The field that only they changed stays as they left it.
  expect(await read()).toEqual({ ...theirs, name: 'My shop' });
  await name.fill('My own shop');
  // What is typed next is a change of what was just saved.
  await save.click();
  await expect.poll(read).toEqual({ ...theirs, name: 'My own shop' });
});

test('a tool’s connection is only replaced knowingly', async ({ page }) => {
  const { client, organizationId, agentId, agentBase, signIn } = owner;
  const { id } = (await client.tool.create({ organizationId, agentId, name: 'Orders' })).tool;
  const authentication = { type: 'apiKey', in: 'header', name: 'X-Key' } as const;
  const serverUrl = 'https://api.shop.example/v1';
  await client.tool.update({ id, serverUrl, authentication, secret: 'canary-secret' });
  await signIn(page.context());
  await page.goto(`${agentBase}/plugins/tool/${id}?view=connection`);
  const name = page.getByLabel('Key name');
  await name.fill('X-My-Key');
  const theirs = { type: 'apiKey', in: 'query', name: 'X-Their-Key' } as const;
  await client.tool.update({ id, authentication: theirs });
  await saveOver(page, name);
  expect((await client.tool.get({ id })).tool).toMatchObject({
    serverUrl,
    authentication: { ...theirs, name: 'X-My-Key' },
    hasSecret: true,
  });
});

test('a lead form is only replaced knowingly', async ({ page }) => {
  const { client, organizationId, agentId, agentBase, signIn } = owner;
  const { id } = (await client.tool.create({ organizationId, agentId, kind: 'builtin', name: 'Lead' })).tool;
  const field = { key: 'name', label: 'Your name', kind: 'text', required: true } as const;
  await client.tool.update({ id, form: [field] });
  await signIn(page.context());
  await page.goto(`${agentBase}/plugins/tool/${id}?view=connection`);
  const question = page.getByRole('textbox', { name: 'Question' });
  await question.fill('Who are you?');
  await client.tool.update({ id, form: [{ ...field, label: 'What are you called?' }] });
  await saveOver(page, question);
  expect((await client.tool.get({ id })).tool.form).toMatchObject([{ label: 'Who are you?' }]);
});

test('one of several model settings is only replaced knowingly', async ({ page }) => {
  const { client, organizationId, agentId: id, agentBase, signIn } = owner;
  const { modelSettings } = (await client.chatbot.get({ id, organizationId })).chatbot;
  await signIn(page.context());
  await page.goto(`${agentBase}/settings/model`);
  const temperature = page.getByLabel('Temperature');
  await temperature.fill('0.5');
  const theirs = { ...modelSettings, temperature: 1, maxTokens: 500 };
  await client.chatbot.update({ id, organizationId, modelSettings: theirs });
  await saveOver(page, temperature);
  const { chatbot } = await client.chatbot.get({ id, organizationId });
  expect(chatbot.modelSettings).toMatchObject({ temperature: 0.5, maxTokens: 500 });
});

test('a canned answer is edited, and only replaced knowingly', async ({ page }) => {
  const { client, organizationId, base, signIn } = owner;
  const canned = { title: 'Hours', text: 'From nine.' };
  const { id } = (await client.inbox.createCanned({ organizationId, ...canned })).answer;
  await signIn(page.context());
  await page.goto(`${base}/inbox/settings`);
  await page.getByRole('button', { name: 'Edit Hours' }).click();
  const text = page.getByLabel('Text').first();
  await expect(page.getByLabel('Name').first()).toBeFocused();
  await expectNothingGrave(page);
  await text.fill('From ten.');
  await client.inbox.updateCanned({ organizationId, id, title: 'Opening hours', text: 'From eleven.' });
  const save = page.locator('form', { has: text }).getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await expect(page.getByText('Someone else has changed this in the meantime.')).toBeVisible();
  await expect(text).toHaveValue('From ten.');
  await save.click();
  await expect(page.getByRole('button', { name: 'Edit Opening hours' })).toBeVisible();
  await expect(page.getByText('From ten.')).toBeVisible();
  expect((await client.inbox.listCanned({ organizationId })).answers).toEqual([
    { id, title: 'Opening hours', text: 'From ten.' },
  ]);
});

test('questions that two people add, edit and remove at the same time are all kept', async ({ page }) => {
  const { client, organizationId, agentId: id, agentBase, signIn } = owner;
  const expectations: [] = [];
  const of = { id, organizationId };
  const cases = ['One?', 'Two?', 'Three?'].map((question) => ({ question, expectations }));
  const made = await client.testSet.create({ ...of, name: 'Questions', cases });
  const key = { ...of, testSetId: made.testSet.id };
  const read = async () => (await client.testSet.get(key)).cases.map(({ question }) => question);
  const add = async (question: string) => {
    const now = (await client.testSet.get(key)).cases;
    await client.testSet.update({ ...key, cases: [...now, { question, expectations }] });
  };
  await signIn(page.context());
  await page.goto(`${agentBase}/settings/tests/${key.testSetId}`);
  const dialog = page.getByRole('dialog');
  const save = dialog.getByRole('button', { name: 'Save' });

  await page.getByRole('button', { name: 'Add question' }).click();
  await add('Theirs?');
  await dialog.getByRole('textbox', { name: 'Question' }).fill('Mine?');
  await save.click();
  await expect(dialog).toHaveCount(0);
  expect(await read()).toEqual(['One?', 'Two?', 'Three?', 'Theirs?', 'Mine?']);

  await page.getByRole('button', { name: 'Edit question 1' }).click();
  const [one, ...others] = (await client.testSet.get(key)).cases;
  await client.testSet.update({ ...key, cases: [{ ...one, question: 'Uno?', expectations }, ...others] });
  await dialog.getByRole('textbox', { name: 'Question' }).fill('Eins?');
  await save.click();
  await expect(page.getByText('Someone else has changed this in the meantime.')).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Question' })).toHaveValue('Eins?');
  await save.click();
  await expect(dialog).toHaveCount(0);
  expect(await read()).toEqual(['Eins?', 'Two?', 'Three?', 'Theirs?', 'Mine?']);

  // The second is removed while the first is still being removed.
  await page.route('**/test-set/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await route.continue();
  });
  await page.getByRole('button', { name: 'Remove question 1' }).click();
  await page.getByRole('button', { name: 'Remove question 2' }).click();
  await expect.poll(read).toEqual(['Three?', 'Theirs?', 'Mine?']);
});

test('a team’s members are only replaced knowingly', async ({ page }) => {
  const { client, organizationId, agentId, base, signIn } = owner;
  const { team } = await client.team.create({ organizationId, name: 'Support', agents: [] });
  await signIn(page.context());
  await page.goto(`${base}/account/teams/${team.id}`);
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('My team');
  await client.team.update({ id: team.id, name: 'Their team', agents: [agentId] });
  await saveOver(page, name);
  expect((await client.team.get({ id: team.id })).team).toMatchObject({ name: 'My team', agents: [agentId] });
});
