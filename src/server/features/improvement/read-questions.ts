import type { Deps } from '../../deps.ts';
import { groupQuestions } from './group-questions.ts';
import { readConversations } from './read-conversations.ts';
import { listAgentsToRead } from './reading-store.ts';

/** How often to check conversations for questions. */
export const QUESTIONS_SWEEP_MS = 10_000;

/**
 * Reads the questions asked of all agents since the last time, and groups them. A failure with one agent doesn't hold
 * up the others.
 */
export async function readQuestions(deps: Pick<Deps, 'db' | 'log' | 'embedding' | 'pace'>): Promise<void> {
  for (const key of await listAgentsToRead(deps.db.owner)) {
    try {
      await readConversations(deps, key);
      await deps.pace.step(() => groupQuestions(deps, key));
    } catch (error) {
      deps.log.warn({ err: error, agentId: key.agentId }, 'questions could not be read');
    }
  }
}
