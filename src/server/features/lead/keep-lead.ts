import type { LeadField, LeadValues } from '../../../contract/lead.ts';
import { LEADS_PER_AGENT_MAX } from '../../../contract/limits.ts';
import { AppError } from '../../app-error.ts';
import type { Tx } from '../../db/scope.ts';
import type { StoredConversation } from '../chat/store.ts';
import { checkValues } from './check-values.ts';
import * as store from './store.ts';

/**
 * Stores what somebody filled in in this conversation, and returns it by key; in a dry run it is checked but not
 * stored. Errors: 400 at a field, 409 when full.
 */
export async function keepLead(
  tx: Tx,
  { organizationId, agentId, id, dryRun }: StoredConversation,
  form: LeadField[],
  given: LeadValues,
): Promise<Record<string, string>> {
  const values = checkValues(form, given);
  const byKey = Object.fromEntries(values.map(({ key, value }) => [key, value]));
  if (dryRun) return byKey;
  if ((await store.countLeads(tx, { organizationId, agentId })) >= LEADS_PER_AGENT_MAX)
    throw new AppError('resource/conflict', `An agent can have at most ${LEADS_PER_AGENT_MAX} leads.`);
  await store.insertLead(tx, { organizationId, agentId, conversationId: id, values });
  return byKey;
}
