import { and, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Citation } from '../../../contract/chat.ts';
import type { WebhookEvent } from '../../../contract/plugin-types.ts';
import {
  conversation,
  handover,
  lead,
  message,
  messageFeedback,
  usageAlert,
  user,
  type Receipt,
} from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';

interface Happening {
  event: WebhookEvent;
  /** The same for the same event, which is reported once. */
  subject: string;
  at: Date;
  data: object;
}

interface Where {
  organizationId: string;
  agentId: string;
  since: Date;
  /** Undefined: until now. */
  until: Date | undefined;
}

/** An answer that has taken longer than this since the last activity in its conversation goes unnoticed. */
const ANSWER_TAKES_AT_MOST = sql`interval '1 hour'`;

/**
 * What has happened to an agent in a period, read from stored data: nothing needs to be recorded for it while people
 * chat. Members' trials are excluded, and of temporary conversations only a submitted form is reported. Oldest first.
 */
export async function happeningsIn(tx: Tx, where: Where, events: WebhookEvent[]): Promise<Happening[]> {
  const wants = (...some: WebhookEvent[]) => some.some((event) => events.includes(event));
  const found = [
    ...(wants('conversation.started') ? await conversations(tx, where) : []),
    ...(wants('answer.completed', 'answer.failed') ? await answers(tx, where) : []),
    ...(wants('feedback.given') ? await feedback(tx, where) : []),
    ...(wants('lead.collected') ? await leads(tx, where) : []),
    ...(wants('handover.requested') ? await handovers(tx, where) : []),
    ...(wants('usage.alert') ? await usageAlerts(tx, where) : []),
  ];
  return found
    .filter(({ event }) => events.includes(event))
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

const ofAgent = ({ organizationId, agentId }: Where) =>
  and(
    eq(conversation.organizationId, organizationId),
    eq(conversation.agentId, agentId),
    isNull(conversation.agentVersion),
  );

/** What people wanted to leave no trace leaves none elsewhere. */
const isLasting = eq(conversation.temporary, false);

const isWithin = (moment: PgColumn, { since, until }: Where) =>
  and(gt(moment, since), until && lte(moment, until));

const person = { id: user.id, name: user.name };

async function conversations(tx: Tx, where: Where): Promise<Happening[]> {
  const rows = await tx
    .select({ conversation, person })
    .from(conversation)
    .innerJoin(user, eq(user.id, conversation.userId))
    .where(
      and(
        ofAgent(where),
        isLasting,
        gt(conversation.updatedAt, where.since),
        isWithin(conversation.createdAt, where),
      ),
    );
  return rows.map(({ conversation: { id, agentId, kind, channel, page, createdAt }, person }) => ({
    event: 'conversation.started',
    subject: id,
    at: createdAt,
    data: { agentId, conversationId: id, kind, channel, page, endUser: person },
  }));
}

async function answers(tx: Tx, where: Where): Promise<Happening[]> {
  const question = tx
    .select({ text: message.text })
    .from(message)
    .where(sql`${message.id} = answer.parent_id and ${message.organizationId} = answer.organization_id`);
  const { rows } = await tx.execute<{
    id: string;
    conversation_id: string;
    text: string;
    state: string;
    receipt: Receipt | null;
    error: string | null;
    citations: Citation[];
    updated_at: string;
    channel: string | null;
    user_id: string;
    name: string;
    question: string | null;
  }>(sql`select answer.*, c.channel, c.user_id, u.name, (${question}) as question
    from conversation c
    join message answer on answer.conversation_id = c.id and answer.organization_id = c.organization_id
    join "user" u on u.id = c.user_id
    where c.organization_id = ${where.organizationId} and c.agent_id = ${where.agentId} and c.agent_version is null
      and not c.temporary and c.updated_at > ${where.since.toISOString()}::timestamptz - ${ANSWER_TAKES_AT_MOST}
      and answer.role = 'assistant' and answer.runner is null and answer.state in ('complete', 'incomplete', 'failed')
      and answer.updated_at > ${where.since.toISOString()}::timestamptz
      and answer.updated_at <= ${where.until?.toISOString() ?? 'infinity'}::timestamptz`);
  return rows.map((row) => ({
    // An answer cut off by its length or a filter is still an answer.
    event: row.state === 'complete' || row.receipt?.cut ? 'answer.completed' : 'answer.failed',
    subject: row.id,
    at: new Date(row.updated_at),
    data: {
      agentId: where.agentId,
      conversationId: row.conversation_id,
      channel: row.channel,
      endUser: { id: row.user_id, name: row.name },
      question: row.question,
      answer: {
        id: row.id,
        text: row.text,
        state: row.state,
        error: row.error,
        citations: row.citations.map(({ number, title, url }) => ({ number, title, url })),
      },
    },
  }));
}

async function feedback(tx: Tx, where: Where): Promise<Happening[]> {
  const rows = await tx
    .select({ feedback: messageFeedback, conversationId: conversation.id, person })
    .from(messageFeedback)
    .innerJoin(
      message,
      and(
        eq(message.id, messageFeedback.messageId),
        eq(message.organizationId, messageFeedback.organizationId),
      ),
    )
    .innerJoin(
      conversation,
      and(
        eq(conversation.id, message.conversationId),
        eq(conversation.organizationId, message.organizationId),
      ),
    )
    .innerJoin(user, eq(user.id, messageFeedback.userId))
    .where(
      and(
        eq(messageFeedback.organizationId, where.organizationId),
        isWithin(messageFeedback.updatedAt, where),
        inArray(messageFeedback.rating, ['up', 'down']),
        ofAgent(where),
        isLasting,
      ),
    );
  return rows.map(
    ({ feedback: { messageId, rating, reason, comment, updatedAt }, conversationId, person }) => ({
      event: 'feedback.given',
      subject: `${messageId} ${person.id} ${updatedAt.getTime()}`,
      at: updatedAt,
      data: { agentId: where.agentId, conversationId, messageId, rating, reason, comment, endUser: person },
    }),
  );
}

async function leads(tx: Tx, where: Where): Promise<Happening[]> {
  const rows = await tx
    .select({ lead, channel: conversation.channel, person })
    .from(lead)
    .innerJoin(
      conversation,
      and(eq(conversation.id, lead.conversationId), eq(conversation.organizationId, lead.organizationId)),
    )
    .innerJoin(user, eq(user.id, conversation.userId))
    .where(and(eq(lead.agentId, where.agentId), isWithin(lead.createdAt, where), ofAgent(where)));
  return rows.map(({ lead: { id, agentId, conversationId, values, createdAt }, channel, person }) => ({
    event: 'lead.collected',
    subject: id,
    at: createdAt,
    data: { agentId, conversationId, leadId: id, channel, values, endUser: person },
  }));
}

async function handovers(tx: Tx, where: Where): Promise<Happening[]> {
  const rows = await tx
    .select({ handover, conversation, person })
    .from(handover)
    .innerJoin(
      conversation,
      and(
        eq(conversation.id, handover.conversationId),
        eq(conversation.organizationId, handover.organizationId),
      ),
    )
    .innerJoin(user, eq(user.id, conversation.userId))
    .where(
      and(
        eq(handover.organizationId, where.organizationId),
        inArray(handover.by, ['end-user', 'agent']),
        isWithin(handover.askedAt, where),
        ofAgent(where),
      ),
    );
  return rows.map(({ handover: { id, by, reason, askedAt }, conversation: found, person }) => ({
    event: 'handover.requested',
    subject: id,
    at: askedAt,
    data: {
      agentId: found.agentId,
      conversationId: found.id,
      channel: found.channel,
      by,
      reason,
      endUser: person,
    },
  }));
}

/** Applies to the organization: each of its agents' webhooks is told. */
async function usageAlerts(tx: Tx, where: Where): Promise<Happening[]> {
  const { organizationId, agentId } = where;
  const rows = await tx
    .select()
    .from(usageAlert)
    .where(and(eq(usageAlert.organizationId, organizationId), isWithin(usageAlert.createdAt, where)));
  return rows.map(({ kind, month, percent, used, limit, createdAt }) => ({
    event: 'usage.alert',
    subject: `${kind} ${month} ${percent}`,
    at: createdAt,
    data: { agentId, organizationId, kind, month, percent, used, limit },
  }));
}
