import { expect, type Page } from '@playwright/test';
import { startOwner } from './owner.ts';
import type { Server } from './server.ts';

/** An agent that knows when the shop is open, with its owner signed in. Resolves to the address of its pages. */
export async function openShopAgent(server: Server, page: Page): Promise<string> {
  const { client, agentId, organizationId, agentBase, signIn } = await startOwner(server);
  await client.knowledge.create({
    id: agentId,
    organizationId,
    type: 'text',
    description: 'Opening hours',
    text: 'The shop is open from nine to five on weekdays.',
  });
  await signIn(page.context());
  await page.goto(`${agentBase}/knowledge`);
  await expect(page.getByText('Ready', { exact: true })).toBeVisible({ timeout: 20_000 });
  return agentBase;
}
