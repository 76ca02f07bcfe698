import { expect, test } from '@playwright/test';
import { startFaultyProvider, type FaultyProvider } from '../stand-ins/faulty-provider.ts';
import { Server } from './server.ts';

/** Models: an organization adds its own account, tests it, and an agent answers with it, and with the next one when it fails. */

let server: Server;
let provider: FaultyProvider;

test.beforeAll(async () => {
  provider = await startFaultyProvider();
  server = await Server.start({
    SEED_DEMO: 'off',
    SSRF_ALLOWED_HOSTS: new URL(provider.baseUrl).host,
    PROVIDER_SILENCE_MAX_SECONDS: '2',
  });
});
test.afterAll(async () => {
  await server.remove();
  await provider.close();
});

test('a custom provider is added, tested and chosen, and an interrupted answer can be requested again', async ({
  page,
}) => {
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Start building' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await page.getByLabel('Username').fill('ada');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Start building' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Desk');
  await page.getByRole('button', { name: 'Create agent' }).click();
  await expect(page).toHaveURL(/\/knowledge$/);
  const [, organization, agent] = /(org_\w+)\/agent\/(agt_\w+)/.exec(page.url()) ?? [];

  await page.goto(`${server.url}/platform/${organization}/account/models`);
  await page.getByRole('button', { name: 'Add provider' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill(provider.baseUrl);
  await dialog.getByLabel('Models').fill('stand-in');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('This provider needs a key.')).toBeVisible();
  await dialog.getByLabel('Key').fill('sk-own-0123456789abcd');
  provider.fault = 'a 401';
  await dialog.getByRole('button', { name: 'Test' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(/refused the key \(401\)/);
  provider.fault = 'none';
  await dialog.getByRole('button', { name: 'Test' }).click();
  await expect(dialog.getByText(/It works: answered in [\d,]+ ms/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('row', { name: /OpenAI.*…abcd/ })).toBeVisible();
  expect(await page.content()).not.toContain('0123456789');

  await page.goto(`${server.url}/platform/${organization}/agent/${agent}/settings/model`);
  await page.getByLabel('Model', { exact: true }).selectOption('openai/stand-in');
  // Estimates follow below, which are saved separately.
  await page.getByRole('button', { name: 'Save' }).first().click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();

  await page.goto(`${server.url}/chat/${agent}`);
  provider.fault = 'nothing after half of it';
  await page.getByRole('textbox', { name: /Message|Ask/ }).fill('Is all well?');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The answer was interrupted.')).toBeVisible();
  provider.fault = 'none';
  await page.getByRole('button', { name: /again/i }).last().click();
  const conversation = page.getByRole('region', { name: 'Conversation' });
  await expect(conversation.getByText('All is well.')).toBeVisible();
});
