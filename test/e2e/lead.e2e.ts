import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { startProvider, type Provider, type ProviderRequest } from '../stand-ins/provider.ts';
import { expectNothingGrave } from './nothing-grave.ts';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** An owner creates a form, somebody fills it in during a conversation, and the owner reads it. */

let server: Server;
let provider: Provider;
let owner: Owner;
let toolId: string;

test.beforeAll(async () => {
  provider = await startProvider({
    pieces: [],
    of: ({ messages }: ProviderRequest) => {
      const last = messages.findLastIndex(({ role }) => role === 'user');
      const hasCalled = messages.slice(last).some(({ role }) => role === 'assistant');
      const form = { name: 'collectLead', arguments: {} };
      return hasCalled ? { pieces: ['We will ', 'call.'] } : { pieces: [], calls: [form] };
    },
  });
  server = await Server.start({
    SEED_DEMO: 'off',
    ...provider.environment,
  });
  owner = await startOwner(server);
  const { client, organizationId, agentId } = owner;
  toolId = (await client.tool.create({ organizationId, agentId, kind: 'builtin', name: 'Contact' })).tool.id;
  await client.tool.update({ id: toolId, operations: [{ id: 'collectLead', enabled: true }] });
});
test.afterAll(async () => {
  await server.remove();
  await provider.close();
});

test('a form is created, filled in within the conversation, and read', async ({ page, context }, info) => {
  const { organizationId, agentId } = owner;
  const tools = `${server.url}/platform/${organizationId}/agent/${agentId}/plugins`;
  await owner.signIn(context);
  await page.goto(`${tools}/tool/${toolId}?view=connection`);
  const add = page.getByRole('button', { name: 'Add a field' });
  for (const [number, label, kind] of [
    [1, 'Your name', 'Text'],
    [2, 'Your address', 'E-mail address'],
    [3, 'When may we call?', 'Choice'],
    [4, 'You may call me', 'Consent'],
  ] as const) {
    await add.click();
    const field = page.getByRole('group', { name: `Field ${number}` });
    await field.getByRole('textbox', { name: 'Question' }).fill(label);
    await field.getByRole('combobox', { name: 'Kind' }).selectOption(kind);
    if (kind === 'Choice') await field.getByRole('textbox', { name: /^Choices/ }).fill('Morning\nEvening');
    else await field.getByRole('checkbox', { name: 'Required' }).check();
  }
  await expectNothingGrave(page, { picture: (name) => info.outputPath(`form-${name}.png`) });
  await page.locator('form', { has: add }).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();

  const phone = await context.newPage();
  await phone.goto(`${server.url}/chat/${agentId}`);
  await phone.getByRole('textbox', { name: /Message|Ask/ }).fill('Please call me.');
  await phone.keyboard.press('Enter');
  const card = phone.getByRole('region', { name: 'Please fill this in' });
  await card.getByRole('textbox', { name: 'Your name' }).fill('Grace');
  await card.getByRole('textbox', { name: 'Your address' }).fill('grace@example.com');
  await card.getByRole('combobox', { name: /^When may we call/ }).selectOption('Evening');
  await card.getByRole('checkbox', { name: 'You may call me' }).check();
  await expectNothingGrave(phone, { picture: (name) => info.outputPath(`card-${name}.png`) });
  await phone.reload();
  await expect(card.getByRole('textbox', { name: 'Your address' })).toHaveValue('grace@example.com');
  await expect(card.getByRole('combobox')).toHaveValue('Evening');
  await expect(card.getByRole('checkbox', { name: 'You may call me' })).toBeChecked();
  const named = card.getByRole('textbox', { name: 'Your name' });
  await named.fill('   ');
  await card.getByRole('button', { name: 'Send' }).press('Enter');
  // It is said at the field, which has focus; the entries stay.
  await expect(phone.getByRole('alert')).toHaveText('This is required.');
  await expect(named).toBeFocused();
  await expect(named).toHaveAccessibleDescription('This is required.');
  await expect(card.getByRole('combobox')).toHaveValue('Evening');
  await named.fill('Grace');
  await card.getByRole('button', { name: 'Send' }).click();
  await expect(phone.getByRole('alert')).toHaveCount(0);
  const conversation = phone.getByRole('region', { name: 'Conversation' });
  await expect(conversation.locator('p', { hasText: 'We will call.' })).toBeVisible();
  expect(await phone.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('grace@example.com');

  await page.goto(tools);
  const leads = page.getByRole('table', { name: 'Leads' });
  await expect(leads).toContainText('grace@example.com');
  await expectNothingGrave(page, { picture: (name) => info.outputPath(`leads-${name}.png`) });
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  expect((await saved).suggestedFilename()).toBe('leads.csv');
  // The mark by which Excel recognizes UTF-8.
  expect((await readFile(await (await saved).path())).toString()).toMatch(/^\ufeff"/);
  await leads.getByRole('button', { name: 'Remove the lead Grace' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete this lead' }).click();
  await expect(leads).toBeHidden();
});
