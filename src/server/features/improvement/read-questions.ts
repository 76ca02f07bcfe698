import type { Deps } from '../../deps.ts';
import { groupQuestions } from './group-questions.ts';
import { readConversations } from './read-conversations.ts';
import { listAgentsToRead } from './reading-store.ts';

/** How often conversations are looked at for questions. */
export const QUESTIONS_SWEEP_MS = 10_000;

/** Reads what was asked of all agents since the last time, and groups it. What fails with one agent keeps no other waiting. */
export async function readQuestions(deps: Pick<Deps, 'db' | 'log' | 'embedding' | 'pace'>): Promise<void> {
  for (const key of await listAgentsToRead(deps.db.owner)) {
    try {
      await readConversations(deps, key);
      await deps.pace.step(() => groupQuestions(deps, key));
    } catch (error) {
      deps.log.warn({ err: error, agentId: key.agentId }, 'questions were not read');
    }
  }
}
