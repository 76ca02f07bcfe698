import { expect, test, type Page } from '@playwright/test';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** What somebody else deletes while a page about it is open. */

let server: Server;
let owner: Owner;

test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
  owner = await startOwner(server);
});
test.afterAll(() => server.remove());

const gone = (page: Page) => page.getByText('This agent is no longer available');

test('unsaved edits to an agent deleted meanwhile can be copied, and are saved once it is restored', async ({
  page,
  context,
}) => {
  const { client, organizationId, agentId } = owner;
  await owner.signIn(context);
  await page.goto(`${owner.agentBase}/settings/instructions`);
  const field = page.getByRole('textbox', { name: 'Instructions' });
  await field.fill('Be brief, and never sell lamps.');
  await client.chatbot.remove({ id: agentId, organizationId });
  await page.getByRole('button', { name: /^Save/ }).click();
  await expect(gone(page)).toBeVisible();
  await expect(field).toHaveValue('Be brief, and never sell lamps.');
  await client.agentKeeping.restore({ id: agentId, organizationId });
  await page.getByRole('button', { name: /^Save/ }).click();
  await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible();
  await expect(gone(page)).toBeHidden();
  await expect
    .poll(async () => (await client.chatbot.get({ id: agentId, organizationId })).chatbot.customInstructions)
    .toBe('Be brief, and never sell lamps.');
});

test('pages without edits report the deletion too, and a conversation already loaded is hidden', async ({
  page,
  context,
}) => {
  const { client, organizationId, base } = owner;
  const { chatbot } = await client.chatbot.create({ organizationId, name: 'Guide' });
  const key = { id: chatbot.id, organizationId };
  const { conversation } = await client.chat.create({ chatbotId: chatbot.id, text: 'Where is the museum?' });
  await owner.signIn(context);
  await page.goto(`${base}/agent/${chatbot.id}/insights`);
  await expect(page.getByRole('link', { name: 'Export CSV' }).or(page.getByText('Export CSV'))).toBeVisible();
  const inbox = await context.newPage();
  await inbox.goto(`${base}/inbox/${conversation.id}`);
  await expect(inbox.getByText('Where is the museum?').first()).toBeVisible();
  await client.chatbot.remove(key);
  await page.getByText('90 days', { exact: true }).click();
  await expect(gone(page)).toBeVisible();
  await inbox.getByRole('textbox', { name: 'Reply' }).fill('Next to the station.');
  await inbox.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(
    inbox.getByRole('heading', { name: 'This conversation is no longer available' }),
  ).toBeVisible();
  await expect(inbox.getByText('Where is the museum?')).toHaveCount(0);
  await client.agentKeeping.restore(key);
  await inbox.reload();
  await expect(inbox.getByRole('textbox', { name: 'Reply' })).toHaveValue('Next to the station.');
  await client.chatbot.remove(key);
  await inbox.reload();
  await inbox.getByRole('link', { name: 'Back to the list' }).click();
  await expect(inbox).toHaveURL(`${base}/inbox`);
});
