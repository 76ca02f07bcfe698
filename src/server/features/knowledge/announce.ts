import { setTimeout as delay } from 'node:timers/promises';
import { membersWhoSee } from '../../access/standing.ts';
import type { Deps } from '../../deps.ts';
import type { AgentKey } from './keys.ts';
import { progressOf } from './present.ts';
import { listProgress } from './store.ts';

/** Often enough to watch, seldom enough that counting a large item does not become the work. */
const ANNOUNCE_EVERY_MS = 500;
/** After telling of an agent a process rests so many times as long as that took: of many items each would else count all the others. */
const REST_FACTOR = 10;

export interface Announcer {
  /** Something has changed; those who watch are told of it soon. */
  changed: () => Promise<void>;
  /** The last word: told at once, or when the rest after the telling before is over. */
  settled: () => Promise<void>;
}

type Telling = Pick<Deps, 'db' | 'realtime'>;

/** From when an agent's watchers begin to be told until the rest after it is over. */
interface Turn {
  /** More has changed since: it is told when the turn is over. */
  isAskedAgain: boolean;
}

/** By whom watchers are told, and by agent. */
const turns = new WeakMap<Deps['realtime'], Map<string, Turn>>();

/** Tells those who may see an agent how far its knowledge is. What they are told is read at that moment. */
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
    // Nobody's work waits for it. What could not be told then is read by who comes back to the page.
    void rest().catch(() => {});
  }
}
