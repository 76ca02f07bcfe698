import { and, eq, inArray, sql } from 'drizzle-orm';
import {
  attachment,
  conversation,
  entitlement,
  message,
  paymentCustomer,
  purchase,
} from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';

interface VisitorKey {
  organizationId: string;
  agentId: string;
  userId: string;
}

/** Transfers everything a visitor has with their agent to this person. A second call finds nothing to do. */
export async function adoptVisitor(
  tx: Tx,
  { organizationId, agentId, userId }: VisitorKey,
  personId: string,
): Promise<void> {
  const theirs = { userId: personId };
  // In the order in which others lock them.
  const moved = await tx
    .update(conversation)
    .set(theirs)
    .where(
      and(
        eq(conversation.organizationId, organizationId),
        eq(conversation.agentId, agentId),
        eq(conversation.userId, userId),
      ),
    )
    .returning({ id: conversation.id });
  const ids = moved.map(({ id }) => id);
  if (ids.length > 0) await adoptWithin(tx, organizationId, ids, { from: userId, to: personId });
  await tx
    .update(purchase)
    .set(theirs)
    .where(
      and(
        eq(purchase.organizationId, organizationId),
        eq(purchase.agentId, agentId),
        eq(purchase.userId, userId),
      ),
    );
  await tx
    .update(entitlement)
    .set(theirs)
    .where(
      and(
        eq(entitlement.organizationId, organizationId),
        eq(entitlement.agentId, agentId),
        eq(entitlement.userId, userId),
      ),
    );
  await tx.execute(sql`
    update tool_account mine set user_id = ${personId}
     where mine.organization_id = ${organizationId} and mine.user_id = ${userId}
       and not exists (select from tool_account theirs where theirs.organization_id = ${organizationId}
         and theirs.tool_id = mine.tool_id and theirs.user_id = ${personId})`);
  // A customer the provider already knows stays the same.
  await tx.execute(sql`
    update payment_customer mine set user_id = ${personId}
     where mine.organization_id = ${organizationId} and mine.user_id = ${userId}
       and not exists (select from payment_customer theirs where theirs.organization_id = ${organizationId}
         and theirs.account_id = mine.account_id and theirs.user_id = ${personId})`);
}

async function adoptWithin(
  tx: Tx,
  organizationId: string,
  conversationIds: string[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  await tx
    .update(attachment)
    .set({ userId: to })
    .where(
      and(
        eq(attachment.organizationId, organizationId),
        inArray(attachment.conversationId, conversationIds),
        eq(attachment.userId, from),
      ),
    );
  await tx
    .update(message)
    .set({ authorId: to })
    .where(
      and(
        eq(message.organizationId, organizationId),
        inArray(message.conversationId, conversationIds),
        eq(message.authorId, from),
      ),
    );
  const isIn = sql.join(
    conversationIds.map((id) => sql`${id}`),
    sql`, `,
  );
  await tx.execute(sql`
    update message_feedback mine set user_id = ${to} from message m
     where mine.organization_id = ${organizationId} and mine.user_id = ${from} and m.id = mine.message_id
       and m.organization_id = ${organizationId} and m.conversation_id in (${isIn})
       and not exists (select from message_feedback theirs where theirs.organization_id = ${organizationId}
         and theirs.message_id = mine.message_id and theirs.user_id = ${to})`);
}

/**
 * Whether the provider knows any of these people by this customer ID: at an account of the transaction's organization
 * or, without one, at any.
 */
export async function knowsCustomer(tx: Tx, userIds: string[], customerId: string): Promise<boolean> {
  const found = await tx
    .select({ userId: paymentCustomer.userId })
    .from(paymentCustomer)
    .where(and(inArray(paymentCustomer.userId, userIds), eq(paymentCustomer.customerId, customerId)));
  return found.length > 0;
}
