import { QUESTIONS_COMPARED_MAX } from '../../../contract/limits.ts';
import type { Deps } from '../../deps.ts';
import { EmbeddingError, type Embedder, type Vector } from '../../llm/embed.ts';
import { bytesOf } from '../knowledge/search.ts';
import { listWithoutVector, writeVector } from './grouping-store.ts';
import type { AgentKey } from './keys.ts';

/** If the first texts of a batch are rejected individually as well, their content isn't the cause. */
const REFUSALS = 3;

/** Embeds unanswered questions, if there is a model. If it is unavailable, they wait until the next time. */
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
      const vectors = await vectorsOf(
        embedder,
        batch.map(({ text }) => text),
      );
      // If others are accepted, a rejected text isn't tried again.
      const isDone = vectors.some((vector) => vector !== undefined);
      await db.in(key, async (tx) => {
        for (const [place, { id }] of batch.entries()) {
          const vector = vectors[place];
          if (isDone)
            await writeVector(tx, key, { id, model: embedder.name, vector: vector ? bytesOf(vector) : null });
        }
      });
    }
  } catch (error) {
    if (!(error instanceof EmbeddingError)) throw error;
    log.warn({ err: error, agentId: key.agentId, model: embedder.name }, 'questions could not be embedded');
  }
}

/** Undefined for texts the model rejects, for example as too long: that doesn't keep others from getting vectors. */
async function vectorsOf(embedder: Embedder, texts: string[]): Promise<(Vector | undefined)[]> {
  let isTaken = false;
  let refused = 0;
  const give = async (some: string[]): Promise<(Vector | undefined)[]> => {
    try {
      const vectors = await embedder.embed(some, { purpose: 'question' });
      isTaken = true;
      return vectors;
    } catch (error) {
      if (!(error instanceof EmbeddingError && error.isRefusal)) throw error;
      if (some.length > 1) {
        const middle = Math.ceil(some.length / 2);
        return [...(await give(some.slice(0, middle))), ...(await give(some.slice(middle)))];
      }
      refused += 1;
      if (!isTaken && refused >= REFUSALS) throw error;
      return [undefined];
    }
  };
  return give(texts);
}
