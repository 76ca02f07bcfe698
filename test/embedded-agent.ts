import { expect } from 'vitest';
import type { Knowledge } from '../src/contract/knowledge.ts';
import type { Product } from './product.ts';

/** The contents of the tables for an agent's passages. */
export interface Stored {
  chunks: number;
  vectors: number;
  models: string[] | null;
}

/**
 * Agents of ada's organization, and what is embedded of their knowledge. Looked up on each call, since the product
 * starts later.
 */
export function embeddedAgents(ours: () => { product: Product; organizationId: string }) {
  const ada = () => ours().product.as('ada');
  const read = async (id: string, knowledgeId: string): Promise<Knowledge> =>
    (await ada().knowledge.get({ id, knowledgeId })).knowledge;
  return {
    read,
    makeAgent: async (): Promise<string> => {
      const { organizationId } = ours();
      return (await ada().chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
    },
    /** Resolves to the item once it can be found. */
    add: async (id: string, description: string): Promise<string> => {
      const { organizationId } = ours();
      const { knowledge } = await ada().knowledge.create({ id, organizationId, type: 'text', description });
      await expect
        .poll(async () => (await read(id, knowledge.id)).progress.state, { timeout: 60_000 })
        .toBe('ready');
      return knowledge.id;
    },
    stored: async (agentId: string): Promise<Stored> => {
      const { rows } = await ours().product.app.deps.db.owner.query<Stored>(
        `select (select count(*)::int from chunk where agent_id = $1) as chunks, count(*)::int as vectors,
           array_agg(distinct model) as models from chunk_vector where agent_id = $1`,
        [agentId],
      );
      return rows[0] ?? { chunks: -1, vectors: -1, models: null };
    },
  };
}
