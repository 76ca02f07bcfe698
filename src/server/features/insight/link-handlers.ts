import type { InsightLink, insightLink as contract } from '../../../contract/insight.ts';
import { insightPeriods } from '../../../contract/insight-periods.ts';
import { INSIGHT_LINKS_MAX } from '../../../contract/limits.ts';
import { inAgent, organizationOf } from '../../access/gate.ts';
import { planOf } from '../../access/quota.ts';
import { AppError, invalidField, notFound } from '../../app-error.ts';
import type { Handlers } from '../../call.ts';
import type { Deps } from '../../deps.ts';
import { hashSecret, newSecret } from '../../identity/secrets.ts';
import { recordAudit } from '../audit/store.ts';
import * as links from './link-store.ts';
import { readNumbers, type Chosen } from './numbers.ts';
import { catchUp, daysOf } from './store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Links that let non-members read an agent's numbers. */
export function insightLinkHandlers({ config, db }: Pick<Deps, 'config' | 'db'>): Handlers<typeof contract> {
  return {
    list: async ({ agentId }, caller) =>
      inAgent(db, caller, agentId, 'agent.write', async (tx, { organizationId }) => ({
        links: (await links.listLinks(tx, { organizationId, agentId })).map(present),
      })),

    create: async ({ agentId, name, days }, caller, context) =>
      inAgent(db, caller, agentId, 'agent.write', async (tx, { organizationId }) => {
        if ((await links.countLinks(tx, { organizationId, agentId })) >= INSIGHT_LINKS_MAX)
          throw new AppError(
            'resource/conflict',
            `An agent can have at most ${INSIGHT_LINKS_MAX} such links.`,
          );
        const token = newSecret();
        const expiresAt = days === undefined ? null : new Date(Date.now() + days * DAY_MS);
        const made = await links.insertLink(tx, {
          organizationId,
          agentId,
          name,
          tokenHash: hashSecret(token),
          expiresAt,
        });
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'insightLink.create',
          target: made,
          after: auditedOf(made),
        });
        return { link: present(made), token };
      }),

    remove: async ({ agentId, linkId }, caller, context) =>
      inAgent(db, caller, agentId, 'agent.write', async (tx, { organizationId }) => {
        const gone = await links.removeLink(tx, { organizationId, agentId }, linkId);
        if (!gone) throw notFound();
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'insightLink.remove',
          target: gone,
          before: auditedOf(gone),
        });
        return { removed: true as const };
      }),

    read: async ({ token, ...chosen }) => readByLink({ config, db }, token, chosen),
  };
}

/** Errors: 404, the same for anything that shows nothing. */
async function readByLink({ config, db }: Pick<Deps, 'config' | 'db'>, token: string, chosen: Chosen) {
  const tokenHash = hashSecret(token);
  const organizationId = await organizationOf(db, 'insightLink', tokenHash);
  const { shown, periods } = await db.in({ organizationId }, async (tx) => {
    const found = await links.findShown(tx, organizationId, tokenHash);
    if (!found) throw notFound();
    const known = await planOf(tx, config, organizationId);
    const within = insightPeriods.filter((each) => !known || daysOf(each) <= known.plan.insightDays);
    // Strangers learn nothing about the plan.
    if (!within.includes(chosen.period))
      throw invalidField('period', 'This link does not cover that long a period.');
    await catchUp(tx, organizationId, [found.id]);
    return { shown: found, periods: within };
  });
  const scope = { organizationId, agentIds: [shown.id] };
  const { insight } = await db.reading({ organizationId }, (tx) => readNumbers(tx, scope, chosen));
  return { agentName: shown.name, periods, insight };
}

function present({ id, name, expiresAt, createdAt }: links.StoredInsightLink): InsightLink {
  return {
    id,
    name,
    expiresAt: expiresAt?.toISOString() ?? null,
    hasEnded: expiresAt !== null && expiresAt.getTime() <= Date.now(),
    createdAt: createdAt.toISOString(),
  };
}

/** Nothing about the token. */
function auditedOf({ agentId, expiresAt }: links.StoredInsightLink) {
  return { agentId, expiresAt: expiresAt?.toISOString() ?? null };
}
