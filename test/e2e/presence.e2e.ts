import { expect, test, type Page } from '@playwright/test';
import { expectNothingGrave } from './nothing-grave.ts';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** Two members in one inbox see each other look and write, and whom they can give a conversation to. */

let server: Server;
let owner: Owner;

test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
  owner = await startOwner(server);
});
test.afterAll(() => server.remove());

/** The address in the newest mail to somebody that leads to a page of that name. */
async function linkTo(page: Page, path: string): Promise<string> {
  const inbox = await page.context().newPage();
  await inbox.goto(`${server.url}/dev/inbox`);
  const mail = inbox.locator('article', { hasText: 'To bella@example.com' }).first();
  const link = await mail.getByRole('link', { name: path }).first().getAttribute('href');
  await inbox.close();
  return link ?? '';
}

/** Somebody who is invited, and accepts in a browser of their own. */
async function joinAsBella(page: Page): Promise<void> {
  const { client, organizationId } = owner;
  await client.member.invite({ organizationId, email: 'bella@example.com', role: 'editor' });
  await page.goto(await linkTo(page, 'auth/invite'));
  await page.getByLabel('E-mail').fill('bella@example.com');
  await page.getByRole('button', { name: 'Send sign-in link' }).click();
  await expect(page).toHaveURL(/email-confirmation/);
  await page.goto(await linkTo(page, 'email-verification'));
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page).toHaveURL(/\/platform\/org_\w+\/agent$/);
}

test('two browsers: seen, seen to write, there for a hand-over, and gone with the tab', async ({
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
  await joinAsBella(bella);
  await ada.goto(`${owner.base}/inbox/${conversation.id}`);
  const others = (page: Page) => page.getByRole('list', { name: 'Other members here now' });
  await expect(others(ada)).toHaveCount(1);
  await expect(others(ada).getByRole('listitem')).toHaveCount(0);

  await bella.goto(`${server.url}/platform/${organizationId}/inbox/${conversation.id}`);
  await expect(others(ada)).toContainText('is looking at this');
  await expect(others(bella)).toContainText('ada is looking at this');
  await expectNothingGrave(ada, { picture: (name) => info.outputPath(`looking-${name}.png`) });
  await bella.getByRole('textbox', { name: 'Reply' }).fill('I will');
  await expect(others(ada)).toContainText('is writing');
  // Without another key it is over soon.
  await expect(others(ada)).toContainText('is looking at this', { timeout: 10_000 });

  await ada.getByRole('button', { name: 'Take over' }).click();
  const assignee = ada.getByRole('combobox', { name: 'Who has it' });
  await expect(assignee.locator('option', { hasText: 'in the inbox now' })).toHaveCount(2);

  await bella.close();
  await expect(others(ada).getByRole('listitem')).toHaveCount(0);
  await expect(assignee.locator('option', { hasText: 'in the inbox now' })).toHaveCount(1);
  await mine.close();
  await theirs.close();
});
