import { expect, test } from '@playwright/test';
import { startTelegramService, type TelegramService } from '../stand-ins/telegram-service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../stand-ins/webhook-receiver.ts';
import { expectNothingGrave } from './nothing-grave.ts';
import { startOwner } from './owner.ts';
import { Server } from './server.ts';

/** An agent goes where people are: installed with a service's credentials, used there, monitored, paused and removed. */

let server: Server;
let telegram: TelegramService;
let receiver: WebhookReceiver;
test.beforeAll(async () => {
  telegram = await startTelegramService();
  receiver = await startWebhookReceiver();
  server = await Server.start({
    SEED_DEMO: 'off',
    TELEGRAM_API_URL: telegram.url,
    SSRF_ALLOWED_HOSTS: receiver.host,
  });
});
test.afterAll(async () => {
  await server.remove();
  await telegram.close();
  await receiver.close();
});

test('a bot is installed, answers messages, is paused and removed', async ({ page }) => {
  const { agentBase, signIn } = await startOwner(server, 'ada');
  await signIn(page.context());
  await page.goto(`${agentBase}/plugins/widget/install`);
  await expect(page).toHaveURL(`${agentBase}/settings/share`);
  await page.goto(`${agentBase}/plugins/create`);
  await expect(page.getByRole('link', { name: /^Website widget/ })).toBeVisible();
  await expectNothingGrave(page);
  await page.getByRole('link', { name: /^Telegram/ }).click();
  await expectNothingGrave(page);

  const token = page.getByLabel('Bot token', { exact: true });
  await page.getByRole('button', { name: 'Install Telegram' }).click();
  await expect(token).toHaveAttribute('aria-invalid', 'true');
  await token.fill('1:wrong');
  await page.getByRole('button', { name: 'Install Telegram' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Telegram' })).toBeVisible();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Telegram said: Unauthorized' }).first(),
  ).toBeVisible();
  await expectNothingGrave(page);
  await page.goto(`${agentBase}/home`);
  await page.getByRole('link', { name: 'One plugin is not working.' }).click();
  await page.getByRole('link', { name: 'Telegram' }).click();
  await token.fill(telegram.token);
  await page.getByRole('button', { name: 'Replace' }).click();
  await expect(page.getByText('Working', { exact: true })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText('@helper_bot')).toBeVisible();
  await expect(token).toHaveValue('');

  await telegram.deliver(telegram.message('When is the shop open?'));
  await expect(page.getByRole('row', { name: /When is the shop open\?.*Ada.*Answered/ })).toBeVisible({
    timeout: 20_000,
  });
  expect(telegram.sent).toHaveLength(1);
  await expectNothingGrave(page);

  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText(/This plugin is paused/)).toBeVisible();
  await telegram.deliver(telegram.message('Are you there?'));
  await page.goto(`${agentBase}/plugins`);
  await expect(page.getByRole('row', { name: /Telegram/ })).toContainText('Working');
  await expectNothingGrave(page);
  await page.getByRole('link', { name: 'Telegram' }).click();
  await expect(page.getByText('Are you there?')).toHaveCount(0);
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page).toHaveURL(/\/plugins$/);
  await expect(page.getByRole('row', { name: /Telegram/ })).toHaveCount(0);
  expect(telegram.webhook).toBeUndefined();
});

test('a webhook is notified of events, and can be resent by hand', async ({ page }) => {
  const { client, agentId, agentBase, signIn } = await startOwner(server, 'eve');
  await signIn(page.context());
  await page.goto(`${agentBase}/plugins/webhook`);
  await expect(page).toHaveURL(/webhook\/install$/, { timeout: 20_000 });
  const address = page.getByLabel('Address', { exact: true });
  await address.fill('http://169.254.169.254/told');
  await page.getByRole('button', { name: 'Install Webhook' }).click();
  await expect(address).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText(/This address is not public/)).toHaveCount(1);
  await address.fill(receiver.url);
  await page.getByLabel('A conversation started').uncheck();
  await expectNothingGrave(page);
  await page.getByRole('button', { name: 'Install Webhook' }).click();
  await expect(page.getByText('Working', { exact: true })).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  receiver.secret = await page.getByRole('textbox', { name: 'Signing secret' }).inputValue();
  expect(receiver.secret).toMatch(/^whsec_/);
  await expectNothingGrave(page);

  const { conversation } = await client.chat.create({ chatbotId: agentId });
  await client.chat.send({ id: conversation.id, text: 'When is the shop open?' });
  const row = page.getByRole('row', { name: /The agent answered/ });
  await expect(row).toContainText('Delivered', { timeout: 20_000 });
  expect(receiver.received.map(({ type }) => type)).toEqual(['answer.completed']);
  await row.getByRole('button', { name: /Send again/ }).click();
  await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(2);
  await expectNothingGrave(page);

  await page.getByLabel('Someone rated an answer').uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Someone rated an answer')).not.toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'The agent answered' })).toBeChecked();

  await expect(page.getByText('Your service is no longer notified.')).toBeVisible();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('What happens meanwhile is sent when you resume it.')).toBeVisible();
});

test('a missing operator setup is explained, and an unknown kind or plugin is not found', async ({
  page,
}) => {
  const { agentBase, signIn } = await startOwner(server, 'bob');
  await signIn(page.context());
  await page.goto(`${agentBase}/plugins/create`);
  await expect(page.getByRole('link', { name: /^X/ })).toContainText('The operator of this installation');
  await page.getByRole('link', { name: /^X/ }).click();
  await expect(page.getByText('The operator of this installation')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Install X' })).toBeDisabled();
  for (const path of ['fax/install', 'fax', 'telegram/plg_1']) {
    await page.goto(`${agentBase}/plugins/${path}`);
    await expect(page.getByRole('heading', { name: 'This page could not be found.' })).toBeVisible();
  }
});
