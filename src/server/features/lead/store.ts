import { and, count, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import { agent, conversation, lead } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { holdsAll, wordsOf } from '../../db/words.ts';
import { newId } from '../../id.ts';

export type StoredLead = typeof lead.$inferSelect & { userId: string };

interface AgentKey {
  organizationId: string;
  agentId: string;
}

const ofAgent = ({ organizationId, agentId }: AgentKey) =>
  and(eq(lead.organizationId, organizationId), eq(lead.agentId, agentId));

const filledIn = sql`(select string_agg(filled ->> 'value', ' ') from jsonb_array_elements(${lead.values}) filled)`;

/** Newest first, each with its end user, excluding deleted conversations; `before` is the id of the last one seen. */
export async function listLeads(
  tx: Tx,
  key: AgentKey,
  {
    count: most,
    before,
    search,
  }: { count: number; before?: string | undefined; search?: string | undefined },
): Promise<StoredLead[]> {
  const rows = await tx
    .select({ lead, userId: conversation.userId })
    .from(lead)
    .innerJoin(
      conversation,
      and(eq(conversation.id, lead.conversationId), eq(conversation.organizationId, lead.organizationId)),
    )
    .where(
      and(
        ofAgent(key),
        isNull(conversation.deletedAt),
        search ? holdsAll(filledIn, wordsOf(search)) : undefined,
        before === undefined ? undefined : lt(lead.id, before),
      ),
    )
    .orderBy(desc(lead.id))
    .limit(most);
  return rows.map((row) => ({ ...row.lead, userId: row.userId }));
}

/** Concurrent counts for this agent wait until this transaction ends, so that the number stays correct. */
export async function countLeads(tx: Tx, key: AgentKey): Promise<number> {
  await tx
    .select({ id: agent.id })
    .from(agent)
    .where(and(eq(agent.organizationId, key.organizationId), eq(agent.id, key.agentId)))
    .for('no key update');
  const [row] = await tx.select({ leads: count() }).from(lead).where(ofAgent(key));
  return row?.leads ?? 0;
}

export async function insertLead(
  tx: Tx,
  values: Pick<StoredLead, 'organizationId' | 'agentId' | 'conversationId' | 'values'>,
): Promise<void> {
  await tx.insert(lead).values({ id: newId('lead'), ...values });
}

export async function deleteLead(tx: Tx, key: AgentKey, id: string): Promise<boolean> {
  const gone = await tx
    .delete(lead)
    .where(and(ofAgent(key), eq(lead.id, id)))
    .returning({ id: lead.id });
  return gone.length > 0;
}
