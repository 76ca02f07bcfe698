import { expect, test } from '@playwright/test';
import { graveFaults } from './axe.ts';
import { knowledgeIsRead } from './knowledge-read.ts';
import { startOwner } from './owner.ts';
import { Server } from './server.ts';

/** A file is replaced by a newer version; one that cannot be read leaves the old one as it is. */

let server: Server;
test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
});
test.afterAll(() => server.remove());

const fileOf = (name: string, text: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
});

test('a newer version takes the place of a file', async ({ page, context }) => {
  const owner = await startOwner(server);
  await owner.signIn(context);
  const { client, organizationId, agentId } = owner;
  const media = new File(['A lantern costs nine euros.'], 'prices 2025.txt', { type: 'text/plain' });
  const files = [(await client.file.upload({ organizationId, media })).file.id];
  await client.knowledge.create({
    id: agentId,
    organizationId,
    type: 'file',
    description: 'prices 2025.txt',
    files,
  });
  await knowledgeIsRead(client, agentId);
  await page.goto(`${owner.agentBase}/knowledge`);
  await page.getByRole('link', { name: 'prices 2025.txt' }).click();
  await expect(page.getByText('A lantern costs nine euros.')).toBeVisible();

  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Replace file' }).press('Enter');
  await (await chosen).setFiles(fileOf('prices 2026.txt', 'A lantern costs twelve euros.'));
  await expect(page.getByText('The new file is being read')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'prices 2026.txt', level: 1 })).toBeVisible();
  await expect(page.getByText('A lantern costs twelve euros.')).toBeVisible();
  await expect(page.getByText('A lantern costs nine euros.')).toBeHidden();
  expect(await graveFaults(page)).toEqual([]);

  await page.locator('input[type=file]').setInputFiles(fileOf('prices 2027.txt', ' \n '));
  await expect(page.getByText('Its newer version could not be read.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'prices 2026.txt', level: 1 })).toBeVisible();
  await expect(page.getByText('A lantern costs twelve euros.')).toBeVisible();
});
