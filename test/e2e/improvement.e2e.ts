import { expect, test } from '@playwright/test';
import { knowledgeIsRead } from './knowledge-read.ts';
import { expectNothingGrave } from './nothing-grave.ts';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** People ask what the agent doesn't know, the owner adds an answer, and the next one to ask gets it. */

/** Background work rests for ten times its duration: minutes on a busy machine. */
const WORKED_OUT = { timeout: 150_000 };

let server: Server;
let owner: Owner;

test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
  owner = await startOwner(server);
  const { client, agentId: id, organizationId } = owner;
  const text = 'The shop in Zürich is open from nine to five on weekdays. On Sundays it is closed.';
  await client.knowledge.create({ id, organizationId, type: 'text', description: 'Opening hours', text });
  await knowledgeIsRead(client, id);
});
test.afterAll(() => server.remove());

test('an agent without chats and an empty filter result are described differently', async ({
  page,
  context,
}) => {
  await owner.signIn(context);
  await page.goto(`${owner.agentBase}/conversations`);
  await expect(page.getByText('No one has chatted with this agent yet')).toBeVisible();
  await page.getByLabel('Rating').selectOption({ label: 'Rated up' });
  await expect(page.getByText('No conversations found')).toBeVisible();
  const search = page.getByRole('searchbox', { name: 'Search titles, messages and people' });
  await search.fill('violins');
  await page.getByRole('link', { name: 'Questions', exact: true }).first().click();
  await expect(page).toHaveURL(/questions/);
  await expect(search).toHaveCount(0);
  await page.goBack();
  await expect(page.getByLabel('Rating')).toHaveValue('up');
  await expect(search).toHaveValue('violins');
});

test('an unanswered question is answered, approved, and known the next time', async ({ browser }, info) => {
  test.setTimeout(420_000);
  const { agentId, agentBase } = owner;
  const people = await browser.newContext();
  const person = await people.newPage();
  const log = person.getByRole('region', { name: 'Conversation' });
  for (const text of [
    'Do you ship parcels to Norway?',
    'Can you ship a parcel to Norway?',
    'Do you repair violins?',
  ]) {
    await person.goto(`${server.url}/chat/${agentId}`);
    await person.getByRole('textbox', { name: 'Message' }).fill(text);
    await person.keyboard.press('Enter');
    await expect(log).toContainText(text);
    await expect(person.getByRole('button', { name: 'Good answer' }).first()).toBeVisible();
  }

  const members = await browser.newContext();
  await owner.signIn(members);
  const member = await members.newPage();
  const picture = (page: string) => ({ picture: (name: string) => info.outputPath(`${page}-${name}.png`) });
  await member.goto(`${agentBase}/home`);
  await member.getByRole('link', { name: 'Questions', exact: true }).click();
  const item = member
    .getByRole('listitem')
    .filter({ hasText: 'Norway' })
    .filter({ hasText: 'asked 2 times' });
  await expect(item).toBeVisible(WORKED_OUT);
  await expectNothingGrave(member, picture('open'));
  await item.getByRole('button', { name: 'Add an answer' }).click();
  await expect(item.getByText('How people asked')).toBeVisible();
  await expectNothingGrave(member, picture('answering'));
  const answer = item.getByRole('textbox', { name: 'Answer', exact: true });
  await answer.fill('By ship.');
  await item.getByRole('button', { name: 'Draft an answer' }).click();
  await expect(item.getByRole('status')).toBeVisible();
  // The person's text is not replaced by the draft.
  await expect(answer).toHaveValue(/^By ship\./);
  await item.getByRole('textbox', { name: 'Question' }).fill('Do you ship parcels to Norway?');
  await answer.fill('Yes, parcels reach Norway in six days.');
  await item.getByRole('button', { name: 'Approve' }).click();
  await expect(member.getByText('The agent now knows the answer')).toBeVisible();

  const other = member.getByRole('listitem').filter({ hasText: 'violins' });
  await other.getByRole('button', { name: 'Dismiss' }).click();
  await other.getByRole('textbox', { name: 'Why it needs no answer' }).fill('Not our trade.');
  await other.getByRole('button', { name: 'Dismiss' }).last().click();
  await expect(member.getByText('No unanswered questions')).toBeVisible();
  await member.getByRole('link', { name: 'Dismissed' }).click();
  await expect(member.getByText('Dismissed: Not our trade.')).toBeVisible();

  await knowledgeIsRead(owner.client, agentId);
  await person.goto(`${server.url}/chat/${agentId}`);
  await person.getByRole('textbox', { name: 'Message' }).fill('Could you ship my parcel to Norway?');
  await person.keyboard.press('Enter');
  await expect(log).toContainText('six days');
  await member.getByRole('link', { name: 'Answered', exact: true }).click();
  await expect(member.getByText('Asked again since: 1, answered: 1')).toBeVisible(WORKED_OUT);
  await expectNothingGrave(member, picture('answered'));
  // A known answer is edited, not rewritten.
  await member.getByRole('button', { name: 'Change the answer' }).click();
  await expect(member.getByRole('textbox', { name: 'Answer', exact: true })).toHaveValue(/six days/);
  await owner.keepSession(members);
  await members.close();
  await people.close();
});

test('topics can be renamed, and conversation filters are kept in the address', async ({
  page,
  context,
}, info) => {
  await owner.signIn(context);
  const picture = (of: string) => ({ picture: (name: string) => info.outputPath(`${of}-${name}.png`) });
  await page.goto(`${owner.agentBase}/questions?view=topics`);
  await expect(page.getByRole('table', { name: 'Topics' })).toContainText('75%');
  await page.getByRole('button', { name: /^Rename/ }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Shipping abroad');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  const topic = page.getByRole('link', { name: 'Shipping abroad' });
  await expect(topic).toBeVisible();
  await expectNothingGrave(page, picture('topics'));
  await topic.click();
  await expect(page).toHaveURL(/topicId=top_/);
  await expect(page.getByRole('table', { name: 'Conversations' }).getByRole('row')).toHaveCount(4);
  await page.getByLabel('Answers').selectOption({ label: 'Some unanswered' });
  await expect(page.getByRole('table', { name: 'Conversations' }).getByRole('row')).toHaveCount(3);
  await expect(page).toHaveURL(/unanswered=true/);
  await page.reload();
  await expect(page.getByRole('table', { name: 'Conversations' }).getByRole('row')).toHaveCount(3);
  await expectNothingGrave(page, picture('conversations'));
  await page.getByLabel('Rating').selectOption({ label: 'Rated up' });
  await expect(page.getByText('No conversations found')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page.getByRole('table', { name: 'Conversations' }).getByRole('row')).toHaveCount(5);
  const search = page.getByRole('searchbox', { name: 'Search titles, messages and people' });
  await search.fill('violins repair');
  await expect(page.getByRole('table', { name: 'Conversations' }).getByRole('row')).toHaveCount(2);
  await page.getByRole('table', { name: 'Conversations' }).getByRole('link').click();
  await expect(page.getByRole('table', { name: 'Conversations' })).toHaveCount(0);
  await page.goBack();
  await expect(search).toHaveValue('violins repair');
  await expect(page.getByRole('table', { name: 'Conversations' }).getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(search).toHaveValue('');
  await page.goto(`${owner.agentBase}/questions?view=dismissed`);
  await page.getByRole('searchbox', { name: 'Search questions' }).fill('harps');
  await expect(page.getByText('No questions found')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search questions' }).fill('VIOLINS');
  await expect(page.getByText('Dismissed: Not our trade.')).toBeVisible();
  await owner.keepSession(context);
});
