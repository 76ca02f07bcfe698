import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ProviderName } from '../config/models.ts';
import type { Fetch } from '../egress/model-fetch.ts';
import { withTextReadHere } from './chat-text.ts';

/** An account at a model provider. */
export interface Account {
  provider: ProviderName;
  /** Undefined: none is needed. */
  apiKey: string | undefined;
  /** Undefined: the provider's default address. */
  baseUrl: string | undefined;
}

/**
 * Explicit, because the libraries would otherwise take the address from the environment, and an organization's key
 * would be sent wherever the operator's requests go.
 */
const ownAddresses = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  compatible: '',
} satisfies Record<ProviderName, string>;

export function baseUrlOf({ provider, baseUrl }: Account): string {
  return baseUrl ?? ownAddresses[provider];
}

type Models = (id: string) => LanguageModelV4;

/** Creates an account's models by ID; all their requests go through `fetch`. */
export function providerModels(account: Account, fetch: Fetch): Models {
  let loaded: Promise<Models> | undefined;
  const load = () => (loaded ??= loadModels(account, fetch));
  return (id) => {
    let model: Promise<LanguageModelV4> | undefined;
    return whenAsked(account.provider, id, () => (model ??= load().then((models) => models(id))));
  };
}

/** Loads each provider's library on first use: nobody uses all of them. */
async function loadModels(account: Account, fetch: Fetch): Promise<Models> {
  const settings = { apiKey: account.apiKey ?? '', baseURL: baseUrlOf(account), fetch };
  switch (account.provider) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      // Chat completions rather than responses: every server that claims compatibility supports them.
      return withTextReadHere((by) => {
        const openai = createOpenAI({ ...settings, fetch: by });
        return (id) => openai.chat(id);
      }, fetch);
    }
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(settings);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogle(settings);
    case 'compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const own = { name: 'compatible', includeUsage: true, ...settings };
      return withTextReadHere((by) => createOpenAICompatible({ ...own, fetch: by }), fetch);
    }
  }
}

function whenAsked(
  provider: ProviderName,
  modelId: string,
  load: () => Promise<LanguageModelV4>,
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    get supportedUrls() {
      return load().then(({ supportedUrls }) => supportedUrls);
    },
    doGenerate: async (options) => (await load()).doGenerate(options),
    doStream: async (options) => (await load()).doStream(options),
  };
}
