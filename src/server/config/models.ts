import path from 'node:path';
import * as z from 'zod';
import {
  PROVIDER_FAILURES_MAX,
  PROVIDER_REST_SECONDS,
  PROVIDER_SILENCE_MAX_SECONDS,
} from '../../contract/limits.ts';
import { notValid } from './error.ts';
import { defaultModelOf, number, serviceKey, webAddress, whole } from './values.ts';
import type { Prices } from '../llm/price.ts';
import { readPrices } from './prices.ts';

/** docs/decisions/0013-vectors.md explains where these two come from. */
const EMBEDDING_WEIGHT = 0.2;
const EMBEDDING_SUPPORT = 0.85;

/** The part of the environment that defines the available models and their prices. */
export const modelsEnvironment = {
  DEFAULT_MODEL: z.string().optional(),
  OPENAI_API_KEY: serviceKey().optional(),
  OPENAI_BASE_URL: webAddress().optional(),
  OPENAI_MODEL: z.string().default('gpt-5-mini'),
  ANTHROPIC_API_KEY: serviceKey().optional(),
  ANTHROPIC_BASE_URL: webAddress().optional(),
  ANTHROPIC_MODEL: z.string().default('claude-sonnet-5'),
  GOOGLE_API_KEY: serviceKey().optional(),
  GOOGLE_BASE_URL: webAddress().optional(),
  GOOGLE_MODEL: z.string().default('gemini-3-flash'),
  COMPATIBLE_BASE_URL: webAddress().optional(),
  COMPATIBLE_API_KEY: serviceKey().optional(),
  COMPATIBLE_MODEL: z.string().optional(),
  PROVIDER_FAILURES_MAX: whole(1, 1000).default(PROVIDER_FAILURES_MAX),
  PROVIDER_REST_SECONDS: number(1, 3600).default(PROVIDER_REST_SECONDS),
  PROVIDER_SILENCE_MAX_SECONDS: number(1, 300).default(PROVIDER_SILENCE_MAX_SECONDS),
  TRANSCRIPTION_MODEL: z.string().optional(),
  SPEECH_MODEL: z.string().optional(),
  SPEECH_VOICE: z.string().default('alloy'),
  EMBEDDING_MODEL: z.string().optional(),
  EMBEDDING_DIMENSIONS: whole(8, 4096).optional(),
  EMBEDDING_WEIGHT: number(0, 1).default(EMBEDDING_WEIGHT),
  EMBEDDING_SUPPORT: number(0, 1).default(EMBEDDING_SUPPORT),
  MODEL_PRICES: z.string().default('{}'),
};

type ModelsEnvironment = z.infer<z.ZodObject<typeof modelsEnvironment>>;

interface ProviderConfig {
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  /** Several are separated by commas; the first is used unless an agent chooses another. */
  model: string;
}

export type ProviderName = 'openai' | 'anthropic' | 'google' | 'compatible';

export interface EmbeddingConfig {
  provider: 'openai' | 'google' | 'compatible' | 'local';
  /** For `local`: the absolute path of its folder. */
  model: string;
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  /** Undefined: the model's native number. */
  dimensions: number | undefined;
  /** Weight of the vectors relative to the words, 0 to 1. */
  weight: number;
  /** The cosine similarity from which a passage supports a question whose words it doesn't contain. */
  support: number;
}

/** A model at a provider that speaks OpenAI's audio endpoints. */
export interface VoiceModelConfig {
  model: string;
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
}

export interface ModelsConfig {
  /** `provider/model`, or undefined: the first configured provider, or else the built-in extractive model. */
  defaultModel: string | undefined;
  providers: Partial<Record<ProviderName, ProviderConfig>>;
  /** For the installation's models, by `provider/model`. */
  modelPrices: Prices;
  /** After this many consecutive failures, an account at a provider is skipped for `providerRestSeconds`. */
  providerFailuresMax: number;
  providerRestSeconds: number;
  /** The longest an agent lets its model stay silent, whatever its settings say. */
  providerSilenceMaxSeconds: number;
  /** Transcribes speech; undefined: not available. */
  transcription: VoiceModelConfig | undefined;
  /** Reads answers aloud; undefined: the browser does. */
  speech: (VoiceModelConfig & { voice: string }) | undefined;
  /** Compares passages and questions by meaning, in addition to their words; undefined: by words alone. */
  embedding: EmbeddingConfig | undefined;
}

/** Errors: `ConfigError` for a setting that has no effect without another. */
export function modelsOf(env: ModelsEnvironment): ModelsConfig {
  const providers = providersOf(env);
  return {
    defaultModel: defaultModelOf(env.DEFAULT_MODEL, providers),
    providers,
    modelPrices: readPrices(env.MODEL_PRICES),
    providerFailuresMax: env.PROVIDER_FAILURES_MAX,
    providerRestSeconds: env.PROVIDER_REST_SECONDS,
    providerSilenceMaxSeconds: env.PROVIDER_SILENCE_MAX_SECONDS,
    transcription: voiceModelOf('TRANSCRIPTION_MODEL', env),
    speech: speechOf(env),
    embedding: embeddingOf(env),
  };
}

/** A provider counts as configured if it has a key or, for compatible servers that need none, an address. */
function providersOf(env: ModelsEnvironment): ModelsConfig['providers'] {
  const providers: ModelsConfig['providers'] = {};
  if (env.OPENAI_API_KEY) {
    providers.openai = { apiKey: env.OPENAI_API_KEY, baseUrl: env.OPENAI_BASE_URL, model: env.OPENAI_MODEL };
  }
  if (env.ANTHROPIC_API_KEY) {
    providers.anthropic = {
      apiKey: env.ANTHROPIC_API_KEY,
      baseUrl: env.ANTHROPIC_BASE_URL,
      model: env.ANTHROPIC_MODEL,
    };
  }
  if (env.GOOGLE_API_KEY) {
    providers.google = { apiKey: env.GOOGLE_API_KEY, baseUrl: env.GOOGLE_BASE_URL, model: env.GOOGLE_MODEL };
  }
  const compatible = compatibleOf(env);
  if (compatible) providers.compatible = compatible;
  return providers;
}

/** The address alone is enough for embedding, transcription and speech. */
function compatibleOf(env: ModelsEnvironment): ProviderConfig | undefined {
  const { COMPATIBLE_API_KEY: apiKey, COMPATIBLE_BASE_URL: baseUrl, COMPATIBLE_MODEL: model } = env;
  if (baseUrl === undefined) {
    if (apiKey === undefined && model === undefined) return undefined;
    throw notValid(
      'COMPATIBLE_BASE_URL: set it to the address of the server, like http://localhost:11434/v1.',
    );
  }
  if (model !== undefined) return { apiKey, baseUrl, model };
  const others = [env.EMBEDDING_MODEL, env.TRANSCRIPTION_MODEL, env.SPEECH_MODEL];
  if (others.some((name) => name?.startsWith('compatible/'))) return undefined;
  throw notValid('COMPATIBLE_MODEL: set it to the name of a model at COMPATIBLE_BASE_URL.');
}

function embeddingOf(env: ModelsEnvironment): ModelsConfig['embedding'] {
  const name = env.EMBEDDING_MODEL;
  if (name === undefined) return undefined;
  const { EMBEDDING_DIMENSIONS: dimensions, EMBEDDING_WEIGHT: weight, EMBEDDING_SUPPORT: support } = env;
  const settings = { dimensions, weight, support };
  const [, folder] = /^local:(.+)$/.exec(name) ?? [];
  if (folder) return { provider: 'local', model: path.resolve(folder), ...settings };
  const [, prefix, model] = /^(openai|google|compatible)\/(.+)$/.exec(name) ?? [];
  if (!prefix || !model) {
    throw notValid(
      'EMBEDDING_MODEL: write openai/<model>, google/<model>, compatible/<model> or local:<folder>.',
    );
  }
  const provider = prefix as 'openai' | 'google' | 'compatible';
  const { needs, isThere, ...access } = accessOf(provider, env);
  if (!isThere) throw notValid(`EMBEDDING_MODEL: ${name} needs ${needs}.`);
  return { provider, model, ...access, ...settings };
}

function voiceModelOf(
  variable: 'TRANSCRIPTION_MODEL' | 'SPEECH_MODEL',
  env: ModelsEnvironment,
): VoiceModelConfig | undefined {
  const name = env[variable];
  if (name === undefined) return undefined;
  const [, provider, model] = /^(openai|compatible)\/(.+)$/.exec(name) ?? [];
  if (!provider || !model) {
    throw notValid(`${variable}: write openai/<model> or compatible/<model>.`);
  }
  const { needs, isThere, ...access } = accessOf(provider as 'openai' | 'compatible', env);
  if (!isThere) throw notValid(`${variable}: ${name} needs ${needs}.`);
  return { model, ...access };
}

function speechOf(env: ModelsEnvironment): ModelsConfig['speech'] {
  const model = voiceModelOf('SPEECH_MODEL', env);
  return model && { ...model, voice: env.SPEECH_VOICE };
}

/** Requires less than answering does: a compatible server may do nothing but embed. */
function accessOf(provider: 'openai' | 'google' | 'compatible', env: ModelsEnvironment) {
  const isThere = (value: string | undefined): boolean => value !== undefined;
  switch (provider) {
    case 'openai': {
      const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl } = env;
      return { apiKey, baseUrl, needs: 'OPENAI_API_KEY', isThere: isThere(apiKey) };
    }
    case 'google': {
      const { GOOGLE_API_KEY: apiKey, GOOGLE_BASE_URL: baseUrl } = env;
      return { apiKey, baseUrl, needs: 'GOOGLE_API_KEY', isThere: isThere(apiKey) };
    }
    case 'compatible': {
      const { COMPATIBLE_API_KEY: apiKey, COMPATIBLE_BASE_URL: baseUrl } = env;
      return { apiKey, baseUrl, needs: 'COMPATIBLE_BASE_URL', isThere: isThere(baseUrl) };
    }
  }
}
