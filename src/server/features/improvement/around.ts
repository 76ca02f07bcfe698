import type { Agent } from '../../access/gate.ts';
import type { MemberCaller, RequestContext } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';

/** What is needed of others. */
export interface Around {
  /** Has the agent's model write, for a credit; undefined where none can write. */
  write: (
    agent: Agent,
    task: { task: string; text: string; clean: (written: string) => string },
    signal: AbortSignal,
  ) => Promise<string | undefined>;
  /** Has the agent know the answer; the id of the pair. */
  keepPair: (
    tx: Tx,
    agent: Agent,
    pair: { knowledgeId: string | null; question: string; answer: string },
    act: { caller: MemberCaller; context: RequestContext },
  ) => Promise<string>;
}
