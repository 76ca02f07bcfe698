import { expect, test } from '@playwright/test';
import { administer } from '../database-server.ts';
import { startProvider, type Provider } from '../stand-ins/provider.ts';
import { expectNothingGrave } from './nothing-grave.ts';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** A member has conversations estimated, and sees a model's judgment of one wherever conversations are viewed. */

let server: Server;
let provider: Provider;
let owner: Owner;

const judgement = { sentiment: 'negative', answered: true, grounded: true, quality: 2 };

test.beforeAll(async () => {
  provider = await startProvider({
    pieces: ['Nine euros.'],
    of: ({ messages }) =>
      messages[0]?.content.startsWith('You judge') ? { pieces: [JSON.stringify(judgement)] } : {},
  });
  server = await Server.start({ SEED_DEMO: 'off', ...provider.environment });
  owner = await startOwner(server);
});
test.afterAll(async () => {
  await server.remove();
  await provider.close();
});

/** Shifts all events back in time: a conversation must rest for at least a minute before it is estimated. */
async function putBack(minutes: number): Promise<void> {
  const database = server.environment['DATABASE_URL'] ?? '';
  for (const [table, column] of [
    ['estimate_setting', 'enabled_at'],
    ['conversation', 'updated_at'],
  ])
    await administer(
      database,
      `update ${table} set ${column} = ${column} - make_interval(mins => ${minutes})`,
    );
}

test('once enabled, an idle conversation is estimated, found and counted', async ({
  page,
  context,
}, info) => {
  const { client, agentId } = owner;
  await owner.signIn(context);
  await page.goto(`${owner.agentBase}/settings/model`);
  const section = page.getByRole('region', { name: 'Estimated sentiment and quality' });
  await expect(section).toContainText('costs one credit');
  await section.getByRole('switch', { name: 'Estimate conversations' }).check();
  await section.getByLabel(/^Minutes without a message/).fill('1');
  await expectNothingGrave(page, { picture: (name) => info.outputPath(`settings-${name}.png`) });
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved')).toBeVisible();

  const { conversation } = await client.chat.create({ chatbotId: agentId });
  await client.chat.send({ id: conversation.id, text: 'What does a ticket cost, after all this waiting?' });
  await putBack(10);
  await expect
    .poll(async () => (await client.inbox.get({ id: conversation.id })).conversation.estimate, {
      timeout: 90_000,
      intervals: [1000],
    })
    .toMatchObject(judgement);

  await page.goto(`${owner.base}/inbox/${conversation.id}`);
  const line = page.getByText('Estimated: negative, quality 2 of 5');
  await expect(line.locator('..')).toContainText('answered, supported by what was found');
  await expectNothingGrave(page, { picture: (name) => info.outputPath(`conversation-${name}.png`) });

  await page.goto(`${owner.agentBase}/conversations`);
  const table = page.getByRole('table', { name: 'Conversations' });
  await expect(table).toContainText('Estimated: negative, quality 2 of 5');
  await expectNothingGrave(page, { picture: (name) => info.outputPath(`list-${name}.png`) });
  await page.getByLabel('Estimated sentiment').selectOption('positive');
  await expect(table).toHaveCount(0);
  await page.getByLabel('Estimated sentiment').selectOption('negative');
  await expect(table).toContainText('What does a ticket cost');
  await page.getByLabel('Estimated quality').selectOption('1');
  await expect(table).toHaveCount(0);

  await page.goto(`${owner.agentBase}/insights`);
  const shares = page.getByRole('region', { name: 'Estimated by the agent’s model' });
  await expect(shares).toContainText('100%');
  await expect(shares.getByText('Estimated quality').locator('..')).toContainText('2');
  await expectNothingGrave(page, { picture: (name) => info.outputPath(`insights-${name}.png`) });
});
