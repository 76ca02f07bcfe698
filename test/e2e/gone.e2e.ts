import { expect, test, type Page } from '@playwright/test';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** What somebody else deletes while one has a page of it open. */

let server: Server;
let owner: Owner;

test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
  owner = await startOwner(server);
});
test.afterAll(() => server.remove());

const gone = (page: Page) => page.getByText('This agent is not here any more');

test('what is being written of an agent that somebody deletes stays to be copied, and is saved when the agent is restored', async ({
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
