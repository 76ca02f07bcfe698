import { PROGRAM_SEARCHES_MAX, PROGRAM_SEARCHES_SECONDS } from '../../../contract/limits.ts';
import { takeAllowance } from '../../access/allowance.ts';
import { requireEntitled } from '../../access/entitlement.ts';
import { requireChat, type Agent } from '../../access/gate.ts';
import { noAgent } from '../../app-error.ts';
import type { VisitorCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { findAgents } from '../chat/store.ts';
import { readerIn, search, vectorOf, type Passage } from '../knowledge/search.ts';

/** What a program with an agent's key may do besides asking it. */
export function programsIn(deps: Deps) {
  return {
    /** The agent as everyone who chats with it sees it. Errors: 404 for an agent other than the key's. */
    agent: async (caller: VisitorCaller, agentId: string): Promise<Agent> =>
      deps.db.in({ organizationId: caller.organizationId }, (tx) => openAgent(tx, caller, agentId)),

    /**
     * The passages relevant to a question, best first: those an answer could rest on. Costs no credit; rate-limited per
     * end user and minute. Errors: 402 if the end user has not bought what opens the agent, 404, 429.
     */
    search: async (
      caller: VisitorCaller,
      { agentId, query, limit }: { agentId: string; query: string; limit: number },
    ): Promise<Passage[]> => {
      const { organizationId, visitorId } = caller;
      await deps.db.in({ organizationId }, async (tx) => {
        const agent = await openAgent(tx, caller, agentId);
        await requireEntitled(tx, agent, caller);
        await takeAllowance(tx, `searches of ${visitorId}`, searchLimit);
      });
      const vector = await vectorOf(deps, organizationId, query);
      const found = await deps.db.in({ organizationId }, (tx) =>
        search(readerIn(tx, { organizationId, agentId }), query, { limit, vector }),
      );
      return found.passages;
    },
  };
}

const searchLimit = { max: PROGRAM_SEARCHES_MAX, seconds: PROGRAM_SEARCHES_SECONDS };

async function openAgent(tx: Tx, caller: VisitorCaller, agentId: string): Promise<Agent> {
  const [agent] = await findAgents(tx, caller.organizationId, [agentId]);
  if (!agent || agent.deletedAt) throw noAgent();
  await requireChat(tx, agent, caller);
  return agent;
}
