import type { Log } from '../log.ts';
import type { Embedder, Vector } from './embed.ts';

/** A reader waits no longer than this for something that keyword search alone would answer as well. */
const QUESTION_TIMEOUT_MS = 1_500;
/** After a question has timed out, the next ones don't wait for this long. */
const PAUSE_MS = 10_000;
/** At most about 6 KB each for common models. */
const REMEMBERED = 1_000;

/** Vectors of questions; undefined if none is ready in time. */
export type QuestionVectors = (organizationId: string, question: string) => Promise<Vector | undefined>;

/** Caches the vectors of recent questions per organization: response times tell nobody what others have asked. */
export function createQuestionVectors(embedder: Embedder, log: Log): QuestionVectors {
  const known = new Map<string, Vector>();
  let pausedUntil = 0;
  return async (organizationId, question) => {
    const key = `${organizationId} ${question}`;
    const remembered = known.get(key);
    if (remembered) {
      known.delete(key);
      known.set(key, remembered);
      return remembered;
    }
    if (question.trim() === '' || performance.now() < pausedUntil) return undefined;
    try {
      const vector = await inTime(embedder, question);
      if (vector) known.set(key, vector);
      for (const oldest of known.keys().take(Math.max(0, known.size - REMEMBERED))) known.delete(oldest);
      return vector;
    } catch (error) {
      if (error instanceof DOMException) pausedUntil = performance.now() + PAUSE_MS;
      log.warn(
        { err: error, model: embedder.name },
        'a question could not be embedded; searching by words alone',
      );
      return undefined;
    }
  };
}

async function inTime(embedder: Embedder, question: string): Promise<Vector | undefined> {
  const signal = AbortSignal.timeout(QUESTION_TIMEOUT_MS);
  const { promise, reject } = Promise.withResolvers<never>();
  const give = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', give);
  try {
    const vectors = await Promise.race([
      embedder.embed([question], { purpose: 'question', signal }),
      promise,
    ]);
    return vectors[0];
  } finally {
    signal.removeEventListener('abort', give);
  }
}
