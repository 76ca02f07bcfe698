import type { Agent } from '../../access/gate.ts';
import type { MemberCaller, RequestContext } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';

/** What is needed from other features. */
export interface Around {
  /** Has the agent's model write, for a credit; undefined if none can write. */
  write: (
    agent: Agent,
    task: { task: string; text: string; clean: (written: string) => string },
    signal: AbortSignal,
  ) => Promise<string | undefined>;
  /** Adds the answer to the agent's knowledge; returns the pair's id. */
  keepPair: (
    tx: Tx,
    agent: Agent,
    pair: { knowledgeId: string | null; question: string; answer: string },
    act: { caller: MemberCaller; context: RequestContext },
  ) => Promise<string>;
}
