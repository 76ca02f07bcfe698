import { expect, test } from '@playwright/test';
import { registerInBrowser } from '../browser-client.ts';
import { expectNothingGrave } from './nothing-grave.ts';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** Personal data, from the point of view of the people and of the agent's operator. */

let server: Server;
let owner: Owner;

test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
  owner = await startOwner(server);
});
test.afterAll(() => server.remove());

const picture = (name: string) => (look: string) => test.info().outputPath(`${name}-${look}.png`);

test('a person downloads their data, erases it, sees the receipt and is signed out', async ({
  page,
  context,
}) => {
  const bob = await registerInBrowser(server.url, 'bob');
  await bob.client.chat.create({ chatbotId: owner.agentId, text: 'When are you open?' });
  const cookies = [...bob.jar].map(([name, value]) => ({ name, value, url: server.url }));
  await context.addCookies(cookies);

  await page.goto(`${server.url}/chat/${owner.agentId}`);
  await expect(page.getByText('You are talking with an AI.')).toBeVisible();
  await page.goto(`${server.url}/app/account`);
  await page.getByRole('button', { name: 'Create file' }).click();
  const link = page.getByRole('link', { name: /^Download \(/ });
  await expect(link).toBeVisible({ timeout: 15_000 });
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(file.suggestedFilename()).toBe('my-data.zip');
  await expectNothingGrave(page, { picture: picture('account') });

  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Erase all my data' }).click();
  const sure = dialog.getByRole('button', { name: 'Erase' });
  await expect(sure).toBeDisabled();
  await dialog.getByRole('textbox').fill('erase');
  await expectNothingGrave(page, { picture: picture('erase') });
  await sure.click();
  await expect(page.getByRole('heading', { name: 'Erasure receipt' })).toBeVisible();
  await expect(page.getByText(/^Done /)).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole('region', { name: 'What was erased' })).toContainText('Conversations');
  await expectNothingGrave(page, { picture: picture('receipt') });
  const receipt = page.url();

  await page.goto(`${server.url}/app/account`);
  await expect(page).toHaveURL(/\/auth/);
  await page.goto(receipt);
  await expect(page.getByText(/^Done /)).toBeVisible();
  await page.goto(`${server.url}/erased/nothing`);
  await expect(page.getByRole('heading', { name: 'No receipt at this address' })).toBeVisible();
});

test('an owner previews what a retention limit deletes, and downloads all data of the organization', async ({
  page,
  context,
}) => {
  await owner.client.chat.create({ chatbotId: owner.agentId, text: 'Hello?' });
  await owner.signIn(context);
  await page.goto(`${owner.agentBase}/settings/danger`);
  await page.getByLabel('Days').fill('30');
  await expect(page.getByText(/This would delete now: conversations 0/)).toBeVisible();
  await expect(page.getByText(/The oldest conversation kept/)).toBeVisible();
  await expectNothingGrave(page, { picture: picture('retention') });
  await page.getByRole('button', { name: 'Save and delete' }).click();
  await expect(page.getByText('Saved')).toBeVisible();
  await page.getByLabel('Days').fill('60');
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeEnabled();

  await page.goto(`${owner.agentBase}/settings/profile`);
  await page.getByLabel('Language of the notice').selectOption('de');
  await page.getByLabel('Notice', { exact: true }).fill('Hier antwortet eine KI.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => {
      const { id, organizationId } = { id: owner.agentId, organizationId: owner.organizationId };
      return (await owner.client.chatbot.get({ id, organizationId })).chatbot.disclosure;
    })
    .toEqual({ isOn: true, texts: { de: 'Hier antwortet eine KI.' } });
  await expectNothingGrave(page, { picture: picture('disclosure') });

  await page.goto(`${owner.base}/account/organization`);
  await page.getByRole('button', { name: 'Create file' }).click();
  await expect(page.getByRole('link', { name: /^Download \(/ })).toBeVisible({ timeout: 20_000 });
  await expectNothingGrave(page, { picture: picture('organization') });
  await owner.keepSession(context);
});

test('a member erases an end user', async ({ page, context }) => {
  const carol = await registerInBrowser(server.url, 'carol');
  await carol.client.chat.create({ chatbotId: owner.agentId, text: 'I am Carol.' });
  await owner.signIn(context);
  await page.goto(`${owner.agentBase}/users`);
  await page.getByRole('link', { name: 'carol' }).click();
  await page.getByRole('button', { name: 'Erase this person' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('erase');
  await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
  await page.getByRole('link', { name: 'Show receipt' }).click();
  await expect(page.getByText(/^Done /)).toBeVisible({ timeout: 15_000 });
  expect((await owner.client.endUser.list({ id: owner.agentId, search: 'carol' })).users).toEqual([]);
});

test('a visitor of a site downloads and erases what its agent knows of them', async ({ page }) => {
  await page.goto(`${server.url}/embed/${owner.agentId}`);
  await expect(page.getByText('You are talking with an AI.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello from a site');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Conversation' })).toContainText('Hello from a site');
  await page.getByRole('button', { name: 'Your data' }).click();
  const save = page.getByRole('button', { name: 'Download your data' });
  const [file] = await Promise.all([page.waitForEvent('download'), save.click()]);
  expect(file.suggestedFilename()).toBe('my-data.zip');
  const erase = page.getByRole('button', { name: 'Erase all my data' });
  await expect(erase).toBeDisabled();
  await page.getByLabel(/Type “erase” to confirm/).fill('erase');
  await expectNothingGrave(page, { picture: picture('widget') });
  await erase.click();
  const receipt = page.getByRole('link', { name: 'Erased. Open the receipt' });
  await expect(receipt).toBeVisible();
  // Erased content is no longer shown, and continuing makes the visitor somebody new.
  const region = page.getByRole('region', { name: 'Conversation' });
  await expect(region).toBeHidden();
  const address = await receipt.getAttribute('href');
  await page.getByRole('button', { name: 'Back to the chat' }).click();
  await expect(page.getByText('You are talking with an AI.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello again');
  await page.keyboard.press('Enter');
  await expect(region).toContainText('Hello again');
  await expect(region).not.toContainText('Hello from a site');
  await page.goto(`${server.url}${address}`);
  await expect(page.getByText(/^Done /)).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole('region', { name: 'What was erased' })).toContainText('Messages');
});
