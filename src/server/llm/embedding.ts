import type { EmbeddingConfig } from '../config/models.ts';
import type { Log } from '../log.ts';
import { createQuestionVectors, type QuestionVectors } from './embed-question.ts';
import type { Embedder } from './embed.ts';

/** This installation's embedding model. */
export interface Embedding {
  embedder: Embedder;
  ofQuestion: QuestionVectors;
  /** See `EmbeddingConfig`. */
  weight: number;
  support: number;
}

/** Undefined if none is configured. An unusable local model aborts the start with instructions. */
export async function openEmbedding(
  config: EmbeddingConfig | undefined,
  log: Log,
): Promise<Embedding | undefined> {
  if (!config) return undefined;
  const { provider, weight, support } = config;
  const embedder = await openEmbedder(provider, config);
  return { embedder, ofQuestion: createQuestionVectors(embedder, log), weight, support };
}

/** Only the chosen provider's library is loaded. */
async function openEmbedder(
  provider: EmbeddingConfig['provider'],
  config: EmbeddingConfig,
): Promise<Embedder> {
  if (provider === 'local') {
    const { createLocalEmbedder } = await import('./embed-local.ts');
    return createLocalEmbedder(config);
  }
  const { createProviderEmbedder } = await import('./embed-provider.ts');
  return createProviderEmbedder(provider, config);
}
