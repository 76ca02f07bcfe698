import { setTimeout as delay } from 'node:timers/promises';
import { membersWhoSee } from '../../access/standing.ts';
import type { Deps } from '../../deps.ts';
import type { AgentKey } from './keys.ts';
import { progressOf } from './present.ts';
import { listProgress } from './store.ts';

/** Frequent enough to watch, rare enough that counting a large item doesn't dominate the work. */
const ANNOUNCE_EVERY_MS = 500;
/**
 * After an announcement for an agent, a process pauses for this many times its duration: with many items, each would
 * otherwise count all the others.
 */
const REST_FACTOR = 10;

export interface Announcer {
  /** Something has changed; watchers are notified soon. */
  changed: () => Promise<void>;
  /** The final notification: sent at once, or when the pause after the previous one is over. */
  settled: () => Promise<void>;
}

type Telling = Pick<Deps, 'db' | 'realtime'>;

/** From the start of notifying an agent's watchers until the pause afterwards is over. */
interface Turn {
  /** More has changed since: it is announced after this turn. */
  isAskedAgain: boolean;
}

/** By the transport that notifies watchers, and by agent. */
const turns = new WeakMap<Deps['realtime'], Map<string, Turn>>();

/** Tells those who may see an agent how far its knowledge is. The state is read at the time of notification. */
export function createAnnouncer(deps: Telling, key: AgentKey): Announcer {
  let last = -Infinity;
  const tell = (): Promise<void> => {
    last = performance.now();
    return tellInTurn(deps, key);
  };
  return {
    changed: async () => {
      if (performance.now() - last >= ANNOUNCE_EVERY_MS) await tell();
    },
    settled: tell,
  };
}

async function tellInTurn(deps: Telling, key: AgentKey): Promise<void> {
  const ofAgents = turns.get(deps.realtime) ?? new Map<string, Turn>();
  turns.set(deps.realtime, ofAgents);
  const turn = ofAgents.get(key.agentId);
  if (turn) turn.isAskedAgain = true;
  else await takeTurn(deps, key, ofAgents);
}

async function takeTurn(deps: Telling, key: AgentKey, ofAgents: Map<string, Turn>): Promise<void> {
  const turn = { isAskedAgain: false };
  const begun = performance.now();
  const rest = async (): Promise<void> => {
    await delay(REST_FACTOR * (performance.now() - begun), undefined, { ref: false });
    ofAgents.delete(key.agentId);
    if (turn.isAskedAgain) await takeTurn(deps, key, ofAgents);
  };
  ofAgents.set(key.agentId, turn);
  try {
    const { items, userIds } = await deps.db.in({ organizationId: key.organizationId }, async (tx) => ({
      items: await listProgress(tx, key),
      userIds: await membersWhoSee(tx, key.agentId),
    }));
    deps.realtime.toAgentWatchers(key.agentId, userIds, 'knowledge.progress.update.result', {
      knowledgeProgress: progressOf(key.agentId, items),
    });
  } finally {
    // Nobody's work waits for it. A missed notification is made up when the page is next opened.
    void rest().catch(() => {});
  }
}
