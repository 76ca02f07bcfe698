import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Config, ProviderName } from '../config.ts';
import { createExtractiveModel, type Analyse } from './extractive.ts';

export interface ResolvedModel {
  /** `provider/model`, as receipts and settings name it. */
  name: string;
  model: LanguageModelV4;
}

export interface Models {
  /** The model of this name; null or a name that is not configured any more gives the installation's default. */
  resolve: (name: string | null) => ResolvedModel;
  /** Names that an agent may choose, the default first. */
  names: string[];
}

export const EXTRACTIVE_MODEL = 'parley/extractive';

/** The models of this installation's providers; without any, the built-in one, which needs no key and no network. */
export function createModels(config: Pick<Config, 'providers' | 'defaultModel'>, analyse: Analyse): Models {
  const factories = new Map<string, (id: string) => LanguageModelV4>();
  const configured: string[] = [];
  for (const name of ['openai', 'anthropic', 'google', 'compatible'] as const) {
    const factory = providerFactory(name, config.providers);
    const provider = config.providers[name];
    if (!factory || !provider) continue;
    factories.set(name, factory);
    configured.push(`${name}/${provider.model}`);
  }
  const extractive: ResolvedModel = { name: EXTRACTIVE_MODEL, model: createExtractiveModel(analyse) };
  const create = (name: string): ResolvedModel | undefined => {
    if (name === EXTRACTIVE_MODEL) return extractive;
    const slash = name.indexOf('/');
    const factory = factories.get(name.slice(0, slash));
    return factory && slash > 0 ? { name, model: factory(name.slice(slash + 1)) } : undefined;
  };
  const fallback = create(config.defaultModel ?? configured[0] ?? EXTRACTIVE_MODEL) ?? extractive;
  return {
    resolve: (name) => (name === null ? fallback : (create(name) ?? fallback)),
    names: [...new Set([fallback.name, ...configured, EXTRACTIVE_MODEL])],
  };
}

function providerFactory(
  name: ProviderName,
  providers: Config['providers'],
): ((id: string) => LanguageModelV4) | undefined {
  const settings = providers[name];
  if (!settings) return undefined;
  const { apiKey = '', baseUrl } = settings;
  const base = baseUrl === undefined ? {} : { baseURL: baseUrl };
  switch (name) {
    case 'openai': {
      // Chat completions, not responses: the one that every server which calls itself compatible speaks.
      const openai = createOpenAI({ apiKey, ...base });
      return (id) => openai.chat(id);
    }
    case 'anthropic':
      return createAnthropic({ apiKey, ...base });
    case 'google':
      return createGoogle({ apiKey, ...base });
    case 'compatible':
      return createOpenAICompatible({
        name: 'compatible',
        apiKey,
        baseURL: baseUrl ?? '',
        includeUsage: true,
      });
  }
}
