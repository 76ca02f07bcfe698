import type {
  model as contract,
  modelPrice as priceContract,
  ModelProvider,
  ModelProviderName,
  ProviderSettings,
} from '../../../contract/model.ts';
import type * as z from 'zod';
import { inOrganization, inOrganizationAlone } from '../../access/gate.ts';
import { AppError, invalidField, notFound } from '../../app-error.ts';
import type { Handlers } from '../../call.ts';
import type { Deps } from '../../deps.ts';
import type { Prices } from '../../llm/price.ts';
import { newId } from '../../id.ts';
import { recordAudit } from '../audit/store.ts';
import { keyOf } from './accounts.ts';
import * as store from './store.ts';
import { tryModel } from './try-model.ts';

type Settings = z.output<typeof ProviderSettings>;

export const modelAreas = (deps: Deps) => ({
  model: modelHandlers(deps),
  modelPrice: modelPriceHandlers(deps),
});

function modelHandlers(deps: Deps): Handlers<typeof contract> {
  const { db, models, vault } = deps;
  return {
    list: async ({ organizationId }, caller) => {
      await inOrganization(db, caller, organizationId, 'agent.read', async () => undefined);
      return { models: await models.list(organizationId) };
    },

    listProviders: async ({ organizationId }, caller) => {
      const found = await inOrganization(db, caller, organizationId, 'agent.read', (tx) =>
        store.listProviders(tx, organizationId),
      );
      return { providers: found.map(providerOf) };
    },

    setProvider: async (settings, caller, context) => {
      const { organizationId, provider } = settings;
      // One at a time: the key is encrypted for the row it is stored in.
      const set = await inOrganizationAlone(db, caller, organizationId, 'organization.manage', async (tx) => {
        const before = await store.findProvider(tx, organizationId, provider);
        requireUsable(settings, before);
        const id = before?.id ?? newId('modelProvider');
        const { apiKey } = settings;
        const names = [...new Set(settings.models)];
        const values = {
          baseUrl: normal(settings.baseUrl),
          models: names,
          prices: pricesOf(before?.prices ?? {}, names),
          apiKey: apiKey === undefined ? (before?.apiKey ?? null) : vault.encrypt(apiKey, id),
          apiKeyPreview: apiKey === undefined ? (before?.apiKeyPreview ?? null) : previewOf(apiKey),
        };
        const after = before
          ? await store.updateProvider(tx, before, values)
          : await store.insertProvider(tx, { id, organizationId, provider, ...values });
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'model.setProvider',
          target: { id, name: provider },
          ...(before ? { before: auditedOf(before) } : {}),
          after: auditedOf(after),
        });
        return after;
      });
      models.forget(organizationId);
      return { provider: providerOf(set) };
    },

    removeProvider: async ({ organizationId, provider }, caller, context) => {
      await inOrganization(db, caller, organizationId, 'organization.manage', async (tx) => {
        const gone = await store.deleteProvider(tx, organizationId, provider);
        if (!gone) throw notFound();
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'model.removeProvider',
          target: { id: gone.id, name: provider },
          before: auditedOf(gone),
        });
      });
      models.forget(organizationId);
      return { removed: true };
    },

    testProvider: async (settings, caller, { signal }) => {
      const { organizationId, provider } = settings;
      const stored = await inOrganization(db, caller, organizationId, 'organization.manage', (tx) =>
        store.findProvider(tx, organizationId, provider),
      );
      requireUsable(settings, stored);
      const apiKey = settings.apiKey ?? (stored && keyOf(vault, stored));
      const baseUrl = normal(settings.baseUrl) ?? undefined;
      const [first = ''] = settings.models;
      return tryModel(models.ofAccount({ provider, apiKey, baseUrl }, first), signal);
    },
  };
}

function modelPriceHandlers({ db, models }: Pick<Deps, 'db' | 'models'>): Handlers<typeof priceContract> {
  return {
    set: async ({ organizationId, provider, prices: said }, caller, context) => {
      const set = await inOrganizationAlone(db, caller, organizationId, 'organization.manage', async (tx) => {
        const before = await store.findProvider(tx, organizationId, provider);
        if (!before) throw notFound();
        for (const [at, { model }] of said.entries())
          if (!before.models.includes(model))
            throw invalidField(`prices.${at}.model`, 'Must be one of this account’s models.');
        const prices = Object.fromEntries(said.map(({ model, ...price }) => [model, price]));
        const after = await store.setPrices(tx, before, prices);
        if (!after) throw notFound();
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'modelPrice.set',
          target: { id: before.id, name: provider },
          before: { prices: before.prices },
          after: { prices },
        });
        return after;
      });
      models.forget(organizationId);
      return { provider: providerOf(set) };
    },
  };
}

const needsKey: Record<ModelProviderName, boolean> = {
  openai: true,
  anthropic: true,
  google: true,
  compatible: false,
};

/** Errors: `model/key-needed` if the stored key would be sent to an address other than the one it was given for. */
function requireUsable(
  { provider, baseUrl, apiKey }: Settings,
  stored: store.StoredProvider | undefined,
): void {
  const address = baseUrl === null ? null : URL.parse(baseUrl);
  if (provider === 'compatible' && !address) throw invalidField('baseUrl', 'Enter the server’s address.');
  if (address && (address.username || address.password || address.search || address.hash))
    throw invalidField('baseUrl', 'Must not contain a password, a question mark or a #.');
  if (apiKey !== undefined) {
    if (!/^[!-~]+$/.test(apiKey))
      throw invalidField('apiKey', 'Must not contain spaces or special characters.');
    return;
  }
  if (stored?.apiKey) {
    if (normal(baseUrl) !== stored.baseUrl) throw new AppError('model/key-needed');
  } else if (needsKey[provider]) throw new AppError('model/key-needed', 'This provider needs a key.');
}

/** The form in which addresses are compared and stored: normalized, without a trailing slash. */
function normal(baseUrl: string | null): string | null {
  return baseUrl === null ? null : new URL(baseUrl).href.replace(/(?<!\/)\/+$/, '');
}

/** A model's price is removed with it: another of the same name may cost something else. */
function pricesOf(prices: Prices, models: string[]): Prices {
  return Object.fromEntries(Object.entries(prices).filter(([model]) => models.includes(model)));
}

function previewOf(apiKey: string): string {
  // The last four characters would reveal too much of a short key.
  return apiKey.length < 16 ? '…' : `…${apiKey.slice(-4)}`;
}

/** Nothing about the key. */
function auditedOf({ baseUrl, models, prices, apiKeyPreview }: store.StoredProvider) {
  return { baseUrl, models, prices, apiKeyPreview };
}

function providerOf({
  id,
  provider,
  baseUrl,
  apiKeyPreview,
  models,
  prices,
  updatedAt,
}: store.StoredProvider): ModelProvider {
  return { id, provider, baseUrl, apiKeyPreview, models, prices, updatedAt: updatedAt.toISOString() };
}
