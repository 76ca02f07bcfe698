import { expect, test } from '@playwright/test';
import { startXService, type XService } from '../stand-ins/x-service.ts';
import { expectNothingGrave } from './nothing-grave.ts';
import { startOwner } from './owner.ts';
import { Server } from './server.ts';

let server: Server;
let x: XService;
test.beforeAll(async () => {
  x = await startXService();
  const { clientId, clientSecret, authorizationUrl, tokenUrl, apiUrl } = x.config;
  server = await Server.start({
    SEED_DEMO: 'off',
    X_CLIENT_ID: clientId,
    X_CLIENT_SECRET: clientSecret,
    X_AUTHORIZATION_URL: authorizationUrl,
    X_TOKEN_URL: tokenUrl,
    X_API_URL: apiUrl,
  });
});
test.afterAll(async () => {
  await server.remove();
  await x.close();
});

test('an X account is connected, answers mentions, and is reconnected after X revokes access', async ({
  page,
}) => {
  const { agentBase, signIn } = await startOwner(server, 'ada');
  await signIn(page.context());
  await page.goto(`${agentBase}/plugins/create`);
  await page.getByRole('link', { name: /^X/ }).click();
  await page.getByRole('button', { name: 'Install X' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'X' })).toBeVisible();
  await page.getByRole('button', { name: 'Connect X' }).click();

  await expect(page.getByText('Working', { exact: true })).toBeVisible();
  await expect(page.getByText('acme', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Connect X' })).toBeHidden();
  x.api.post('ada', '@acme when is the shop open?');
  await expect(page.getByRole('row', { name: /when is the shop open\?.*Ada.*Answered/ })).toBeVisible({
    timeout: 90_000,
  });
  expect(x.api.posted).toHaveLength(1);
  await expectNothingGrave(page);

  x.revoke();
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'X refused access to the account.' }).first(),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Connect X again' }).click();
  await expect(page.getByText('Working', { exact: true })).toBeVisible();
});
