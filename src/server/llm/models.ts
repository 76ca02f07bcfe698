import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ModelSettings } from '../../contract/chatbot.ts';
import { PROVIDER_TIMEOUT_MS } from '../../contract/limits.ts';
import type { Model, ModelPrice } from '../../contract/model.ts';
import type { Config } from '../config/config.ts';
import type { ProviderName } from '../config/models.ts';
import type { ModelFetch } from '../egress/model-fetch.ts';
import type { Patience } from './ask.ts';
import { createCircuits, type Circuit } from './circuits.ts';
import { createExtractiveModel, type ReadAlike } from './extractive.ts';
import { knownForAWhile } from './known-for-a-while.ts';
import { NO_PRICE, type Prices } from './price.ts';
import { providerModels, type Account } from './provider-model.ts';

export interface ResolvedModel {
  /** `provider/model`, as in receipts and settings. */
  name: string;
  model: LanguageModelV4;
  /** Of the account that answers. */
  circuit: Circuit;
  /** What the account charges for it; undefined if nobody has said. */
  price: ModelPrice | undefined;
}

/** As stored with agents; older ones have only the first. */
type ChainSettings = Pick<ModelSettings, 'model'> &
  Partial<Pick<ModelSettings, 'fallbacks' | 'timeoutSeconds'>>;

/** The models to ask for one answer, in this order. */
export interface ModelChain {
  models: [ResolvedModel, ...ResolvedModel[]];
  /** For each of them. */
  patience: Patience;
}

/** An organization's own account. */
export interface OwnAccount extends Account {
  /** Changes whenever the account does. */
  key: string;
  models: string[];
  prices: Prices;
}

export interface Models {
  /**
   * The models that answer for an agent: its model, then its fallbacks. Names that no longer exist are skipped; if none
   * is left, the installation's default answers. The organization's own accounts take precedence over the
   * installation's.
   */
  chain: (organizationId: string, settings: ChainSettings) => Promise<ModelChain>;
  /** What the organization's agents can choose from. */
  list: (organizationId: string) => Promise<Model[]>;
  /** A model of an account that is not stored yet, for trying it out. */
  ofAccount: (account: Account, id: string) => LanguageModelV4;
  /** Call when the organization's accounts have changed. */
  forget: (organizationId: string) => void;
  /** Accounts that are currently left alone: the installation's by provider, and the number of organizations' accounts. */
  resting: () => { installation: string[]; organizations: number };
}

/** A model that only shows signs of life, such as comments in its stream, gets this many times as long. */
const WORDLESS_TIMES = 5;

export const EXTRACTIVE_MODEL = 'parley/extractive';

/** Prefix for the installation's own accounts; no key of an organization's account starts with it. */
const INSTALLATION = 'installation ';

const providerNames = ['openai', 'anthropic', 'google', 'compatible'] as const satisfies ProviderName[];

interface Options {
  config: Pick<
    Config,
    | 'providers'
    | 'modelPrices'
    | 'defaultModel'
    | 'providerFailuresMax'
    | 'providerRestSeconds'
    | 'providerSilenceMaxSeconds'
  >;
  readAlike: ReadAlike;
  fetch: ModelFetch;
  ownAccounts: (organizationId: string) => Promise<OwnAccount[]>;
}

type ByName = ReadonlyMap<string, ResolvedModel>;

/**
 * The models of this installation and its organizations; if there are none, the built-in one, which needs no key and no
 * network.
 */
export function createModels({ config, readAlike, fetch, ownAccounts }: Options): Models {
  const circuitOf = createCircuits({
    failuresMax: config.providerFailuresMax,
    restMs: config.providerRestSeconds * 1000,
  });
  const builtIn: ResolvedModel = {
    name: EXTRACTIVE_MODEL,
    model: createExtractiveModel(readAlike),
    circuit: circuitOf(EXTRACTIVE_MODEL),
    price: NO_PRICE,
  };
  const installed = installedModels(config, fetch, circuitOf);
  const [first = builtIn] = installed.values();
  const standard = installed.get(config.defaultModel ?? '') ?? first;
  const fallback = config.defaultModel === EXTRACTIVE_MODEL ? builtIn : standard;
  // Nobody can choose a provider's default address, so its connections may be pooled.
  const modelsOf = (account: Account) =>
    providerModels(account, account.baseUrl === undefined ? fetch.byOperator : fetch.byPerson);
  const own = knownForAWhile(async (organizationId): Promise<ByName> => {
    const accounts = await ownAccounts(organizationId);
    return new Map(accounts.flatMap((account) => named(account, modelsOf(account), circuitOf(account.key))));
  });

  return {
    chain: async (organizationId, { model, fallbacks = [], timeoutSeconds = PROVIDER_TIMEOUT_MS / 1000 }) => {
      const ownModels = await own.of(organizationId);
      const names = [model ?? fallback.name, ...fallbacks].filter(
        (name, at, all) => all.indexOf(name) === at,
      );
      const [main = fallback, ...rest] = names.flatMap((name) => {
        const found =
          ownModels.get(name) ?? installed.get(name) ?? (name === EXTRACTIVE_MODEL ? builtIn : undefined);
        return found ? [found] : [];
      });
      return { models: [main, ...rest], patience: patienceOf(timeoutSeconds, config) };
    },
    list: async (organizationId) => listed(fallback.name, installed, await own.of(organizationId)),
    ofAccount: (account, id) => modelsOf(account)(id),
    forget: own.forget,
    resting: () => restingOf(circuitOf.resting()),
  };
}

/** The operator's maximum applies to both. */
function patienceOf(
  timeoutSeconds: number,
  { providerSilenceMaxSeconds }: Pick<Config, 'providerSilenceMaxSeconds'>,
): Patience {
  const inTime = (seconds: number): number => Math.min(seconds, providerSilenceMaxSeconds) * 1000;
  return { silenceMs: inTime(timeoutSeconds), wordlessMs: inTime(timeoutSeconds * WORDLESS_TIMES) };
}

function restingOf(accounts: string[]): { installation: string[]; organizations: number } {
  const installation = accounts.flatMap((account) => {
    const [, provider] = account.split(INSTALLATION);
    return account.startsWith(INSTALLATION) && provider ? [provider] : [];
  });
  const organizations = accounts.filter(
    (account) => !account.startsWith(INSTALLATION) && account !== EXTRACTIVE_MODEL,
  );
  return { installation, organizations: organizations.length };
}

/** For each provider, those the operator lists: an agent can't choose a more expensive one on the operator's account. */
function installedModels(
  { providers, modelPrices, defaultModel }: Options['config'],
  fetch: ModelFetch,
  circuitOf: (account: string) => Circuit,
): ByName {
  const models = providerNames.flatMap((provider) => {
    const settings = providers[provider];
    if (!settings) return [];
    const { apiKey, baseUrl } = settings;
    const make = providerModels({ provider, apiKey, baseUrl }, fetch.byOperator);
    const ids = settings.model.split(',').map((id) => id.trim());
    if (defaultModel?.startsWith(`${provider}/`)) ids.push(defaultModel.slice(provider.length + 1));
    const models = ids.filter(Boolean);
    const prices = Object.fromEntries(
      models.flatMap((id) => {
        const price = modelPrices[`${provider}/${id}`];
        return price ? [[id, price]] : [];
      }),
    );
    return named({ provider, models, prices }, make, circuitOf(`${INSTALLATION}${provider}`));
  });
  return new Map(models);
}

function named(
  { provider, models, prices }: Pick<OwnAccount, 'provider' | 'models' | 'prices'>,
  make: (id: string) => LanguageModelV4,
  circuit: Circuit,
): [string, ResolvedModel][] {
  return models.map((id) => {
    const name = `${provider}/${id}`;
    return [
      name,
      { name, model: make(id), circuit, price: Object.hasOwn(prices, id) ? prices[id] : undefined },
    ];
  });
}

function listed(standard: string, installed: ByName, own: ByName): Model[] {
  const names = [...new Set([standard, ...own.keys(), ...installed.keys(), EXTRACTIVE_MODEL])];
  return names.map((name) => ({
    name,
    by: own.has(name) ? 'organization' : installed.has(name) ? 'installation' : 'built-in',
    isDefault: name === standard,
    price: (own.get(name) ?? installed.get(name))?.price ?? (name === EXTRACTIVE_MODEL ? NO_PRICE : null),
  }));
}
