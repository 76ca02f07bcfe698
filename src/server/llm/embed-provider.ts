import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, type EmbeddingModelV4, type EmbeddingModelV4CallOptions } from '@ai-sdk/provider';
import type { EmbeddingConfig } from '../config/models.ts';
import { checkedEmbed, EmbeddingError, type Embedder, type EmbedOptions } from './embed.ts';

/** Google takes 100, OpenAI more; servers that claim compatibility are often limited to 32. */
const batchSizes = { openai: 100, google: 100, compatible: 32 };
/** The delay to assume if a provider names none. */
const PATIENCE_MS = 5_000;
/** A provider that asks for a longer delay is not waited for: the vectors are made another time. */
const PATIENCE_MAX_MS = 60_000;
const ANSWER_TIMEOUT_MS = 60_000;

/** A provider's embedding model. */
export function createProviderEmbedder(
  provider: keyof typeof batchSizes,
  config: Pick<EmbeddingConfig, 'model' | 'apiKey' | 'baseUrl' | 'dimensions'>,
): Embedder {
  const { dimensions } = config;
  const model = modelOf(provider, config);
  const raw = async (values: string[], options: EmbedOptions): Promise<number[][]> => {
    try {
      const { embeddings } = await model.doEmbed({ values, ...callOptions(options, dimensions) });
      return embeddings;
    } catch (error) {
      options.signal?.throwIfAborted();
      throw inWords(error);
    }
  };
  return {
    name: `${provider}/${config.model}${dimensions === undefined ? '' : `@${dimensions}`}`,
    batchSize: batchSizes[provider],
    ...checkedEmbed(raw, dimensions),
    close: async () => undefined,
  };
}

function modelOf(
  provider: keyof typeof batchSizes,
  { model, apiKey = '', baseUrl }: Pick<EmbeddingConfig, 'model' | 'apiKey' | 'baseUrl'>,
): EmbeddingModelV4 {
  const base = baseUrl === undefined ? {} : { baseURL: baseUrl };
  switch (provider) {
    case 'openai':
      return createOpenAI({ apiKey, ...base }).embeddingModel(model);
    case 'google':
      return createGoogle({ apiKey, ...base }).embeddingModel(model);
    case 'compatible':
      return createOpenAICompatible({ name: 'compatible', apiKey, baseURL: baseUrl ?? '' }).embeddingModel(
        model,
      );
  }
}

function callOptions(
  { purpose, signal }: EmbedOptions,
  dimensions: number | undefined,
): Omit<EmbeddingModelV4CallOptions, 'values'> {
  const timeout = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  return {
    abortSignal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    providerOptions: {
      google: { taskType: purpose === 'question' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT' },
    },
    ...(dimensions === undefined ? {} : { dimensions }),
  };
}

/** The provider's own text is left out: some echo the key, or the text. */
function inWords(error: unknown): EmbeddingError {
  if (!APICallError.isInstance(error))
    return new EmbeddingError('The embedding model cannot be reached.', { cause: error });
  const { statusCode: status, responseHeaders } = error;
  if (status === undefined)
    return new EmbeddingError('The embedding model cannot be reached.', { cause: error });
  if (status === 429 || status === 503) {
    const retryAfterMs = patienceOf(responseHeaders?.['retry-after']);
    const isShort = retryAfterMs <= PATIENCE_MAX_MS;
    return new EmbeddingError('The embedding model is overloaded.', {
      ...(isShort ? { retryAfterMs } : {}),
      cause: error,
    });
  }
  if (status < 300) return new EmbeddingError('The embedding model returned no vectors.', { cause: error });
  return new EmbeddingError(`The embedding model answered ${status}.`, {
    isRefusal: status === 400 || status === 413 || status === 422,
    cause: error,
  });
}

/** Seconds or a date, as in HTTP. */
function patienceOf(header: string | undefined): number {
  if (!header) return PATIENCE_MS;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : PATIENCE_MS;
}
