import type { EmbeddingConfig } from '../config/models.ts';
import type { Log } from '../log.ts';
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
  const embedder = await openEmbedder(provider, config);
  return { embedder, ofQuestion: createQuestionVectors(embedder, log), weight, support };
}

/** Whichever it is, only its own library is loaded. */
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
