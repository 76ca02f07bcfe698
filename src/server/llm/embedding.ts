import type { EmbeddingConfig } from '../config.ts';
import type { Log } from '../log.ts';
import { createLocalEmbedder } from './embed-local.ts';
import { createProviderEmbedder } from './embed-provider.ts';
import { createQuestionVectors, type QuestionVectors } from './embed-question.ts';
import type { Embedder } from './embed.ts';

/** The embedding model of this installation. */
export interface Embedding {
  embedder: Embedder;
  ofQuestion: QuestionVectors;
  /** See `EmbeddingConfig`. */
  weight: number;
  support: number;
}

/** Undefined when none is configured. A local model that cannot be used ends the start with what to do. */
export async function openEmbedding(
  config: EmbeddingConfig | undefined,
  log: Log,
): Promise<Embedding | undefined> {
  if (!config) return undefined;
  const { provider, weight, support } = config;
  const embedder =
    provider === 'local' ? await createLocalEmbedder(config) : createProviderEmbedder(provider, config);
  return { embedder, ofQuestion: createQuestionVectors(embedder, log), weight, support };
}
