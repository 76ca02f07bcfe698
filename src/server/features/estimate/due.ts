import type { Deps } from '../../deps.ts';
import { canWrite } from './can-write.ts';
import * as store from './store.ts';

export const ESTIMATE_SWEEP_MS = 15_000;
/** Per agent, so that no other waits behind it for long. */
const AT_ONCE = 20;

/**
 * Has a model assess each agent's quiet conversations, up to the daily number its members allow. A failure with one
 * agent doesn't hold up the others.
 */
export async function estimateDue(deps: Pick<Deps, 'db' | 'jobs' | 'log' | 'models'>): Promise<void> {
  for (const key of await store.listEnabled(deps.db.owner)) {
    try {
      await estimateOf(deps, key);
    } catch (error) {
      deps.log.warn({ err: error, agentId: key.agentId }, 'conversations could not be estimated');
    }
  }
}

async function estimateOf(
  { db, jobs, models }: Pick<Deps, 'db' | 'jobs' | 'models'>,
  key: store.AgentKey,
): Promise<void> {
  const { organizationId } = key;
  const agent = await db.in({ organizationId }, (tx) => store.findAgent(tx, key));
  // If no model could answer, nothing is used up.
  if (!agent || !(await canWrite(models, agent))) return;
  await db.in({ organizationId }, async (tx) => {
    const room = await store.lockRoom(tx, key);
    if (room === 0) return;
    const claimed = await store.claim(tx, key, Math.min(room, AT_ONCE));
    for (const each of claimed) await jobs.enqueue(tx, 'conversation.estimate', { ...key, ...each });
    await store.countAsked(tx, key, claimed.length);
  });
}
