import type { Agent } from '../../access/gate.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { createItem, type Act } from './create.ts';
import { editItem } from './edit.ts';
import { itemKey } from './item.ts';

interface Pair {
  /** An existing pair, which is changed to this; null creates a new one. */
  knowledgeId: string | null;
  question: string;
  answer: string;
}

/** Adds the answer to a question to an agent's knowledge; returns the pair's id. Errors: those of creating and changing items. */
type KeepPair = (tx: Tx, agent: Agent, pair: Pair, act: Act) => Promise<string>;

export function pairsIn(deps: Pick<Deps, 'config' | 'jobs'>): KeepPair {
  return async (tx, agent, { knowledgeId, question, answer }, act) => {
    const said = { description: question, text: answer };
    if (knowledgeId !== null) {
      await editItem(tx, deps, itemKey(agent, knowledgeId), said, act);
      return knowledgeId;
    }
    const item = { id: agent.id, type: 'qa', ...said, links: [], files: [], schedule: 'manual' } as const;
    return (await createItem(tx, deps, agent, { ...item, links: [], files: [] }, act)).knowledgeId;
  };
}
