import type { Agent } from '../../access/gate.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { createItem, type Act } from './create.ts';
import { editItem } from './edit.ts';
import { itemKey } from './item.ts';

interface Pair {
  /** Of a pair that is there, which then says this; null makes a new one. */
  knowledgeId: string | null;
  question: string;
  answer: string;
}

/** Has an agent know the answer to a question; the id of the pair. Errors: as of items that are made and changed. */
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
