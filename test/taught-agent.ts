import { vi } from 'vitest';
import type { TestClient } from './product.ts';

/** An agent with its own key that knows this text, if given. */
export async function makeTaughtAgent(
  owner: TestClient,
  organizationId: string,
  text?: string,
): Promise<{ id: string; apiKey: string }> {
  const { id } = (await owner.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
  const { apiKey } = await owner.visitor.rotateApiKey({ id });
  if (text === undefined) return { id, apiKey };
  await owner.knowledge.create({ id, organizationId, type: 'text', description: 'Notes', text });
  await untilReady(owner, id);
  return { id, apiKey };
}

/** Waits until everything the agent was given can be found. */
export async function untilReady(owner: TestClient, id: string): Promise<void> {
  await vi.waitUntil(
    async () =>
      (await owner.knowledge.list({ id })).allKnowledge.every(({ progress }) => progress.state === 'ready'),
    60_000,
  );
}
