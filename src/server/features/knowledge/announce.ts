import type { Deps } from '../../deps.ts';
import type { AgentKey } from './keys.ts';
import { progressOf } from './present.ts';
import { listKnowledge } from './store.ts';

/** Often enough to watch, seldom enough that counting a large item does not become the work. */
const ANNOUNCE_EVERY_MS = 500;

export interface Announcer {
  /** Something has changed; those who watch are told of it soon. */
  changed: () => Promise<void>;
  /** The last word: told at once. */
  settled: () => Promise<void>;
}

/** Tells those who watch an agent how far its knowledge is. What they are told is read at that moment. */
export function createAnnouncer(deps: Pick<Deps, 'db' | 'realtime'>, key: AgentKey): Announcer {
  let last = 0;
  const tell = async (): Promise<void> => {
    last = Date.now();
    const items = await deps.db.in({ organizationId: key.organizationId }, (tx) => listKnowledge(tx, key));
    deps.realtime.toAgentWatchers(key.agentId, 'knowledge.progress.update.result', {
      knowledgeProgress: progressOf(key.agentId, items),
    });
  };
  return {
    changed: async () => {
      if (Date.now() - last >= ANNOUNCE_EVERY_MS) await tell();
    },
    settled: tell,
  };
}
