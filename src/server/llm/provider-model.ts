import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ProviderName } from '../config.ts';
import type { Fetch } from '../egress/model-fetch.ts';

/** An account at a provider of models. */
export interface Account {
  provider: ProviderName;
  /** Undefined: none is needed there. */
  apiKey: string | undefined;
  /** Undefined: the provider's own address. */
  baseUrl: string | undefined;
}

/**
 * Written out, because the libraries would otherwise take the address from the environment, and an organization's key
 * would be sent to wherever the operator's requests go.
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

/** Makes models of an account by their ids; every request of theirs goes through `fetch`. */
export function providerModels(account: Account, fetch: Fetch): (id: string) => LanguageModelV4 {
  const settings = { apiKey: account.apiKey ?? '', baseURL: baseUrlOf(account), fetch };
  switch (account.provider) {
    case 'openai': {
      // Chat completions, not responses: the one that every server which calls itself compatible speaks.
      const openai = createOpenAI(settings);
      return (id) => openai.chat(id);
    }
    case 'anthropic':
      return createAnthropic(settings);
    case 'google':
      return createGoogle(settings);
    case 'compatible':
      return createOpenAICompatible({ name: 'compatible', includeUsage: true, ...settings });
  }
}
