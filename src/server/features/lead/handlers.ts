import type { Lead, lead as contract } from '../../../contract/lead.ts';
import { LEADS_PER_AGENT_MAX } from '../../../contract/limits.ts';
import { inAgent } from '../../access/gate.ts';
import { notFound } from '../../app-error.ts';
import type { Handlers } from '../../call.ts';
import { csvOf } from '../../csv.ts';
import { decodeCursor, encodeCursor, readId } from '../../cursor.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/store.ts';
import * as store from './store.ts';

export function leadHandlers({ db }: Pick<Deps, 'db'>): Handlers<typeof contract> {
  return {
    list: async ({ id: agentId, cursor, count, search }, caller) => {
      const before = decodeCursor(cursor, readId);
      const found = await inAgent(db, caller, agentId, 'agent.read', (tx, { organizationId }) =>
        store.listLeads(tx, { organizationId, agentId }, { count: count + 1, before, search }),
      );
      const page = found.slice(0, count);
      const last = found.length > count ? page.at(-1) : undefined;
      return { leads: page.map(leadOf), nextCursor: last ? encodeCursor([last.id]) : null };
    },

    export: async ({ id: agentId }, caller) => {
      const found = await inAgent(db, caller, agentId, 'agent.read', (tx, { organizationId }) =>
        store.listLeads(tx, { organizationId, agentId }, { count: LEADS_PER_AGENT_MAX }),
      );
      return { csv: csvOf(rowsOf(found)) };
    },

    remove: async ({ id: agentId, leadId }, caller, context) => {
      await inAgent(db, caller, agentId, 'agent.write', async (tx, { organizationId, name }) => {
        if (!(await store.deleteLead(tx, { organizationId, agentId }, leadId))) throw notFound();
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'lead.remove',
          target: { id: leadId, name },
        });
      });
      return { deleted: true };
    },
  };
}

/** A column for every field that occurs in any of them, whatever the current form is. */
function rowsOf(leads: store.StoredLead[]): string[][] {
  const keys = [...new Set(leads.flatMap(({ values }) => values.map(({ key }) => key)))];
  const rows = leads.map(({ id, conversationId, createdAt, values }) => {
    const byKey = new Map(values.map(({ key, value }) => [key, value]));
    return [id, createdAt.toISOString(), conversationId, ...keys.map((key) => byKey.get(key) ?? '')];
  });
  return [['id', 'createdAt', 'conversationId', ...keys], ...rows];
}

function leadOf({ id, agentId, conversationId, userId, values, createdAt }: store.StoredLead): Lead {
  return { id, agentId, conversationId, userId, values, createdAt: createdAt.toISOString() };
}
