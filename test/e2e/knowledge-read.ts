import { expect } from '@playwright/test';
import type { BrowserClient } from '../browser-client.ts';

/** Background reading yields to requests: on a busy machine it takes many times as long. */
const PATIENCE_MS = 60_000;

/** Waits until an agent can use everything it was given. */
export async function knowledgeIsRead(client: BrowserClient['client'], agentId: string): Promise<void> {
  const states = async () =>
    (await client.knowledge.list({ id: agentId })).allKnowledge.map(({ progress }) => progress.state);
  await expect
    .poll(async () => new Set(await states()), { timeout: PATIENCE_MS })
    .toEqual(new Set(['ready']));
}
