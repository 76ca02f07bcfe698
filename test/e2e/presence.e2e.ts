import { expect, test, type Page } from '@playwright/test';
import { expectNothingGrave } from './nothing-grave.ts';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** Two members in one inbox see each other viewing and writing, and whom they can assign a conversation to. */

let server: Server;
let owner: Owner;

test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
  owner = await startOwner(server);
});
test.afterAll(() => server.remove());

/** The link in the newest email to a person that leads to a page with that name. */
async function linkTo(page: Page, email: string, path: string): Promise<string> {
  const inbox = await page.context().newPage();
  await inbox.goto(`${server.url}/dev/inbox`);
  const mail = inbox.locator('article', { hasText: `To ${email}` }).first();
  const link = await mail.getByRole('link', { name: path }).first().getAttribute('href');
  await inbox.close();
  return link ?? '';
}

/** A person who is invited, and accepts in their own browser. */
async function join(page: Page, name: string, role: 'editor' | 'viewer'): Promise<void> {
  const { client, organizationId } = owner;
  const email = `${name}@example.com`;
  await client.member.invite({ organizationId, email, role });
  await page.goto(await linkTo(page, email, 'auth/invite'));
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send sign-in link' }).click();
  await expect(page).toHaveURL(/email-confirmation/);
  await page.goto(await linkTo(page, email, 'email-verification'));
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page).toHaveURL(/\/platform\/org_\w+\/agent$/);
}

test('two browsers: presence shows viewing, typing and availability for a handoff, and ends with the tab', async ({
  browser,
}, info) => {
  const { client, organizationId, agentId } = owner;
  const { conversation } = await client.chat.create({ chatbotId: agentId });
  await client.chat.send({ id: conversation.id, text: 'Where is my order?' });
  await client.handover.ask({ id: conversation.id });

  const mine = await browser.newContext();
  await owner.signIn(mine);
  const ada = await mine.newPage();
  const theirs = await browser.newContext();
  const bella = await theirs.newPage();
  await join(bella, 'bella', 'editor');
  await ada.goto(`${owner.base}/inbox/${conversation.id}`);
  const others = (page: Page) => page.getByRole('list', { name: 'Other members here now' });
  await expect(others(ada)).toHaveCount(1);
  await expect(others(ada).getByRole('listitem')).toHaveCount(0);

  await bella.goto(`${server.url}/platform/${organizationId}/inbox/${conversation.id}`);
  await expect(others(ada)).toContainText('is viewing this');
  await expect(others(bella)).toContainText('ada is viewing this');
  await expectNothingGrave(ada, { picture: (name) => info.outputPath(`looking-${name}.png`) });
  await bella.getByRole('textbox', { name: 'Reply' }).fill('I will');
  await expect(others(ada)).toContainText('is typing');
  // Without another keystroke it ends soon.
  await expect(others(ada)).toContainText('is viewing this', { timeout: 10_000 });

  await ada.getByRole('button', { name: 'Take over' }).click();
  const assignee = ada.getByRole('combobox', { name: 'Assigned to' });
  await expect(assignee.locator('option', { hasText: 'in the inbox now' })).toHaveCount(2);

  // The assignee replies; the other is told so before writing.
  await expect(ada.getByText('Under your name.')).toBeVisible();
  await expect(bella.getByText('ada has this conversation. Assign it to yourself above')).toBeVisible();

  await bella.close();
  await expect(others(ada).getByRole('listitem')).toHaveCount(0);
  await expect(assignee.locator('option', { hasText: 'in the inbox now' })).toHaveCount(1);
  await mine.close();
  await theirs.close();
});

test('a viewer sees live changes, and is not offered actions for replying', async ({ browser }) => {
  const { client, organizationId, agentId } = owner;
  const context = await browser.newContext();
  const vera = await context.newPage();
  await join(vera, 'vera', 'viewer');
  const { conversation } = await client.chat.create({ chatbotId: agentId });
  await client.handover.ask({ id: conversation.id });
  const list = vera.getByRole('region', { name: 'Conversations' });
  const told = vera.waitForEvent('websocket');
  await vera.goto(`${server.url}/platform/${organizationId}/inbox`);
  await told;
  await expect(list.getByRole('link')).not.toHaveCount(0);
  await expect(vera.getByRole('switch', { name: /^Notify me/ })).toHaveCount(0);
  await client.chat.send({ id: conversation.id, text: 'Is nobody there?' });
  await expect(list).toContainText('Is nobody there?', { timeout: 5000 });
  await context.close();
});
