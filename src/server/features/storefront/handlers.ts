import type { Storefront, storefront as contract, StorefrontConfig } from '../../../contract/storefront.ts';
import type { Permission } from '../../../contract/access.ts';
import { inAgent, organizationOf, type Agent } from '../../access/gate.ts';
import { AppError, invalidField, notFound } from '../../app-error.ts';
import type { Handlers, MemberCaller } from '../../call.ts';
import type { Database, Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/store.ts';
import { hasImage } from '../chatbot/store.ts';
import { listForSale } from '../product/store.ts';
import { newStorefront } from './new-storefront.ts';
import { pageOf } from './page/page.ts';
import * as store from './store.ts';

export function storefrontHandlers({
  db,
  payments: { isTestMode },
}: Pick<Deps, 'db' | 'payments'>): Handlers<typeof contract> {
  return {
    find: async ({ agentId }, caller, { origin }) => {
      const found = await inAgent(db, caller, agentId, 'agent.read', async (tx, agent) => {
        const stored = await store.findOfAgent(tx, agent);
        return stored && present(stored, agent, origin);
      });
      return { storefront: found ?? null };
    },

    get: async ({ id }, caller, { origin }) => ({
      storefront: await inStorefront(db, caller, id, 'agent.read', async (_tx, { stored, agent }) =>
        present(stored, agent, origin),
      ),
    }),

    create: async ({ agentId }, caller, context) => {
      const made = await inAgent(db, caller, agentId, 'agent.write', async (tx, agent) => {
        const forSale = await listForSale(tx, agent.organizationId, agent.id);
        const stored = await store.insertStorefront(tx, agent, newStorefront(agent, forSale));
        if (!stored) return present(await storefrontOf(tx, agent), agent, context.origin);
        await recordAudit(tx, caller, context, {
          organizationId: agent.organizationId,
          action: 'storefront.create',
          target: { id: stored.id, name: agent.name },
          after: { headline: stored.draft.headline },
        });
        return present(stored, agent, context.origin);
      });
      return { storefront: made };
    },

    update: async ({ id, config, revision }, caller, context) => ({
      storefront: await inStorefront(db, caller, id, 'agent.write', async (tx, { stored, agent }) => {
        requireRevision(stored, revision);
        await requireOwnPicture(tx, agent, stored, config);
        const saved = await store.saveDraft(tx, stored, config);
        await recordAudit(tx, caller, context, {
          organizationId: agent.organizationId,
          action: 'storefront.update',
          target: { id, name: agent.name },
          before: stored.draft,
          after: saved.draft,
        });
        return present(saved, agent, context.origin);
      }),
    }),

    publish: async ({ id, revision }, caller, context) => ({
      storefront: await inStorefront(db, caller, id, 'agent.write', async (tx, { stored, agent }) => {
        requireRevision(stored, revision);
        const published = await store.publishDraft(tx, stored);
        await recordAudit(tx, caller, context, {
          organizationId: agent.organizationId,
          action: 'storefront.publish',
          target: { id, name: agent.name },
          before: { publishedRevision: stored.publishedRevision },
          after: { publishedRevision: published.publishedRevision },
        });
        return present(published, agent, context.origin);
      }),
    }),

    unpublish: async ({ id }, caller, context) => ({
      storefront: await inStorefront(db, caller, id, 'agent.write', async (tx, { stored, agent }) => {
        const taken = await store.takeOff(tx, stored);
        await recordAudit(tx, caller, context, {
          organizationId: agent.organizationId,
          action: 'storefront.unpublish',
          target: { id, name: agent.name },
          before: { publishedRevision: stored.publishedRevision },
          after: { publishedRevision: null },
        });
        return present(taken, agent, context.origin);
      }),
    }),

    preview: async ({ id, config }, caller, { origin }) => ({
      html: await inStorefront(db, caller, id, 'agent.read', async (tx, { agent }) => {
        const offers = await listForSale(tx, agent.organizationId, agent.id);
        return pageOf({ agent, config, offers, isTestMode, origin, locale: 'en', isPreview: true }).html;
      }),
    }),
  };
}

/** For calls that name a storefront. Locks its row, so that the later of two saves sees the earlier. */
async function inStorefront<T>(
  db: Database,
  caller: MemberCaller,
  id: string,
  permission: Permission,
  work: (tx: Tx, found: { stored: store.StoredStorefront; agent: Agent }) => Promise<T>,
): Promise<T> {
  const organizationId = await organizationOf(db, 'storefront', id);
  const found = await db.in({ organizationId }, (tx) => store.findStorefront(tx, { organizationId, id }));
  if (!found) throw notFound();
  const held = async (tx: Tx, agent: Agent) => {
    const stored = await store.lockStorefront(tx, { organizationId: agent.organizationId, id });
    if (!stored) throw notFound();
    return work(tx, { stored, agent });
  };
  return inAgent(db, caller, found.agentId, permission, held, notFound);
}

async function storefrontOf(tx: Tx, agent: Agent): Promise<store.StoredStorefront> {
  const stored = await store.findOfAgent(tx, agent);
  if (!stored) throw notFound();
  return stored;
}

function requireRevision({ revision }: store.StoredStorefront, given: number | undefined): void {
  if (given !== undefined && given !== revision) throw new AppError('resource/conflict');
}

/** Errors: 400 for a picture that the page doesn't already have and that wasn't uploaded for the agent. */
async function requireOwnPicture(
  tx: Tx,
  agent: Agent,
  { draft, published }: store.StoredStorefront,
  { picture }: StorefrontConfig,
): Promise<void> {
  if (picture === null || picture === draft.picture || picture === published?.picture) return;
  if (!(await hasImage(tx, agent, picture)))
    throw invalidField('config.picture', 'Must be a picture of this agent. Upload a new one.');
}

function present(stored: store.StoredStorefront, { handle }: Agent, origin: string): Storefront {
  const { published: _published, publishedAt, createdAt, updatedAt, ...rest } = stored;
  return {
    ...rest,
    url: `${origin}/s/${handle}`,
    publishedAt: publishedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
