import * as z from 'zod';
import { text, Timestamp, WebAddress } from './common.ts';
import { idOf } from './id.ts';
import { MODEL_TESTS_PER_HOUR_AND_ADDRESS, MODELS_A_PROVIDER_MAX } from './limits.ts';
import { route } from './route.ts';

/** `compatible`: anything that speaks OpenAI's chat completions, such as Ollama, vLLM or llama.cpp. */
export const modelProviders = ['openai', 'anthropic', 'google', 'compatible'] as const;
export type ModelProviderName = (typeof modelProviders)[number];

/** US dollars per million tokens, as a decimal string: exact, unlike a number. */
const UsdAMillion = text(11, 1).regex(/^\d{1,4}(\.\d{1,6})?$/, 'Must be an amount like 0.25.');

/** What a provider charges for a model. */
export const ModelPrice = z.object({
  input: UsdAMillion,
  /** For input the provider had cached; null: the same as other input. */
  cachedInput: UsdAMillion.nullable(),
  output: UsdAMillion,
});
export type ModelPrice = z.infer<typeof ModelPrice>;

/** An organization's own account with a provider. */
export const ModelProvider = z.object({
  id: idOf('modelProvider'),
  provider: z.enum(modelProviders),
  /** Null: the provider's standard address. */
  baseUrl: z.string().nullable(),
  /** `…c2d1`; null: no key. */
  apiKeyPreview: z.string().nullable(),
  models: z.array(z.string()),
  /** By model name; models without a price aren't listed. */
  prices: z.record(z.string(), ModelPrice),
  updatedAt: Timestamp,
});
export type ModelProvider = z.infer<typeof ModelProvider>;

export const Model = z.object({
  /** `openai/gpt-5-mini`, as agents refer to it. */
  name: z.string(),
  /** Whose account is used. */
  by: z.enum(['built-in', 'installation', 'organization']),
  isDefault: z.boolean(),
  /** Null: no price was given. */
  price: ModelPrice.nullable(),
});
export type Model = z.infer<typeof Model>;

const ModelName = text(100, 1).regex(/^[\w./:@-]+$/, 'Must be a name like gpt-5-mini.');

export const ProviderSettings = z.strictObject({
  organizationId: idOf('organization'),
  provider: z.enum(modelProviders),
  baseUrl: WebAddress.nullable().default(null),
  /** Omitted: the stored one, which is kept only while the address stays the same. */
  apiKey: text(500, 1).optional(),
  models: z.array(ModelName).min(1).max(MODELS_A_PROVIDER_MAX),
});

const ofProvider = z.strictObject({ organizationId: idOf('organization'), provider: z.enum(modelProviders) });

export const model = {
  /** What the organization's agents may choose from. */
  list: route({
    method: 'GET',
    path: '/v1/platform/model',
    summary: 'The models that agents can use',
    input: z.strictObject({ organizationId: idOf('organization') }),
    output: z.object({ models: z.array(Model) }),
  }),
  listProviders: route({
    method: 'GET',
    path: '/v1/platform/model-provider',
    summary: "The organization's own providers",
    input: z.strictObject({ organizationId: idOf('organization') }),
    output: z.object({ providers: z.array(ModelProvider) }),
  }),
  /** One per kind. Changing `baseUrl` without a key is a 400: a stored key is never sent to another address. */
  setProvider: route({
    method: 'PUT',
    path: '/v1/platform/model-provider',
    summary: 'Set up a provider',
    input: ProviderSettings,
    output: z.object({ provider: ModelProvider }),
  }),
  removeProvider: route({
    method: 'DELETE',
    path: '/v1/platform/model-provider',
    summary: 'Remove a provider',
    carrier: 'body',
    input: ofProvider,
    output: z.object({ removed: z.literal(true) }),
  }),
  /** Asks the provider for one short answer, using the stored settings or the ones given, which aren't stored. */
  testProvider: route({
    method: 'POST',
    path: '/v1/platform/model-provider/test',
    summary: 'Test a provider',
    limit: { requests: MODEL_TESTS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
    input: ProviderSettings,
    output: z.object({ works: z.boolean(), detail: z.string(), ms: z.number() }),
  }),
};

/** Separate from the other calls, since only one screen makes it. */
export const modelPrice = {
  /** Replaces all prices given for this provider. Existing answers keep their cost. */
  set: route({
    method: 'PUT',
    path: '/v1/platform/model-provider/price',
    summary: "Set the prices of a provider's models",
    input: ofProvider.extend({
      prices: z.array(ModelPrice.extend({ model: ModelName }).strict()).max(MODELS_A_PROVIDER_MAX),
    }),
    output: z.object({ provider: ModelProvider }),
  }),
};
