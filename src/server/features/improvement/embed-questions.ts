import { QUESTIONS_COMPARED_MAX } from '../../../contract/limits.ts';
import type { Deps } from '../../deps.ts';
import { EmbeddingError } from '../../llm/embed.ts';
import { bytesOf } from '../knowledge/search.ts';
import { listWithoutVector, writeVector } from './grouping-store.ts';
import type { AgentKey } from './keys.ts';

/**
 * Gives unanswered questions their vectors, where there is a model. One that cannot be had is done without until the next
 * time.
 */
export async function embedQuestions(
  { db, embedding, log }: Pick<Deps, 'db' | 'embedding' | 'log'>,
  key: AgentKey,
): Promise<void> {
  if (!embedding) return;
  const { embedder } = embedding;
  const missing = await db.in(key, (tx) => listWithoutVector(tx, key, embedder.name, QUESTIONS_COMPARED_MAX));
  try {
    for (let at = 0; at < missing.length; at += embedder.batchSize) {
      const batch = missing.slice(at, at + embedder.batchSize);
      const vectors = await embedder.embed(
        batch.map(({ text }) => text),
        { purpose: 'question' },
      );
      await db.in(key, async (tx) => {
        for (const [place, { id }] of batch.entries()) {
          const vector = vectors[place];
          if (vector) await writeVector(tx, key, { id, model: embedder.name, vector: bytesOf(vector) });
        }
      });
    }
  } catch (error) {
    if (!(error instanceof EmbeddingError)) throw error;
    log.warn({ err: error, agentId: key.agentId, model: embedder.name }, 'questions got no vectors');
  }
}
