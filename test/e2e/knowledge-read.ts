import { expect } from '@playwright/test';
import type { BrowserClient } from '../browser-client.ts';

/** What is read in the background waits for what is asked: on a machine with much else to do that is many times as long. */
const PATIENCE_MS = 60_000;

/** Waits until an agent can use everything that it was given. */
export async function knowledgeIsRead(client: BrowserClient['client'], agentId: string): Promise<void> {
  const states = async () =>
    (await client.knowledge.list({ id: agentId })).allKnowledge.map(({ progress }) => progress.state);
  await expect
    .poll(async () => new Set(await states()), { timeout: PATIENCE_MS })
    .toEqual(new Set(['ready']));
}
