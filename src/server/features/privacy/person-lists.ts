import { sql, type SQL } from 'drizzle-orm';

/**
 * What is known about a person other than messages, list by list. None contains a secret; every statement is limited to
 * this person's rows.
 */
export function personLists(userId: string): [name: string, statement: SQL][] {
  return [...whoLists(userId), ...saidLists(userId), ...estimatedLists(userId), ...boughtLists(userId)];
}

function whoLists(userId: string): [string, SQL][] {
  return [
    [
      'profile.json',
      sql`select u.id as key, u.id, u.name, u.username, u.email, u.email_verified as "emailVerified",
        u.is_anonymous as "isGuest", u.location, u.registered_at as "registeredAt", u.created_at as "createdAt"
        from "user" u where u.id = ${userId}`,
    ],
    [
      'sign-ins.json',
      sql`select a.provider as key, a.provider, a.email, a.created_at as "createdAt", null::timestamptz as "endsAt"
          from account a where a.user_id = ${userId}
        union all select s.id, 'session', null, s.created_at, coalesce(s.revoked_at, s.expires_at)
          from session s where s.user_id = ${userId}`,
    ],
    [
      'memberships.json',
      sql`select m.id as key, o.name as organization, m.role, m.created_at as "createdAt" from member m
        join organization o on o.id = m.organization_id where m.user_id = ${userId}`,
    ],
    [
      'invites.json',
      sql`select i.id as key, o.name as organization, i.role, i.status, i.created_at as "createdAt" from invite i
        join organization o on o.id = i.organization_id
        join "user" u on lower(u.email) = lower(i.email) and u.email_verified where u.id = ${userId}`,
    ],
  ];
}

function saidLists(userId: string): [string, SQL][] {
  const own = sql`c.user_id = ${userId}`;
  return [
    [
      'feedback.json',
      sql`select f.message_id as key, f.message_id as "messageId", f.rating, f.reason, f.comment, f.updated_at as "at"
        from message_feedback f where f.user_id = ${userId}`,
    ],
    [
      'contact-details.json',
      sql`select l.id as key, l.conversation_id as "conversationId", l.values, l.created_at as "createdAt" from lead l
        join conversation c on c.id = l.conversation_id and c.organization_id = l.organization_id where ${own}`,
    ],
    [
      'tool-calls.json',
      sql`select t.id as key, t.conversation_id as "conversationId", t.summary, t.arguments, t.state, t.result,
        t.created_at as "createdAt" from tool_call t
        join conversation c on c.id = t.conversation_id and c.organization_id = t.organization_id where ${own}`,
    ],
    [
      'connected-accounts.json',
      sql`select a.id as key, t.name as tool, a.created_at as "createdAt" from tool_account a
        join tool t on t.id = a.tool_id and t.organization_id = a.organization_id where a.user_id = ${userId}`,
    ],
    [
      'handovers.json',
      sql`select h.id as key, h.conversation_id as "conversationId", h.by, h.reason, h.asked_at as "askedAt",
        h.taken_at as "takenAt", h.ended_at as "endedAt" from handover h
        join conversation c on c.id = h.conversation_id and c.organization_id = h.organization_id where ${own}`,
    ],
    [
      'shared-links.json',
      sql`select l.id as key, l.conversation_id as "conversationId", l.kind, l.audience, l.expires_at as "expiresAt",
        l.revoked_at as "revokedAt", l.created_at as "createdAt" from chat_link l
        join conversation c on c.id = l.conversation_id and c.organization_id = l.organization_id where ${own}`,
    ],
    [
      'channel-messages.json',
      sql`select m.id as key, p.type as channel, m.person_name as "name", m.text, m.received_at as "receivedAt"
        from channel_message m join channel_thread t on t.id = m.thread_id and t.organization_id = m.organization_id
        join visitor v on v.id = t.visitor_id and v.organization_id = t.organization_id
        join plugin p on p.id = m.plugin_id and p.organization_id = m.organization_id where v.user_id = ${userId}`,
    ],
  ];
}

/** Models' assessments of what they said. */
function estimatedLists(userId: string): [string, SQL][] {
  return [
    [
      'estimates.json',
      sql`select e.conversation_id as key, e.conversation_id as "conversationId", e.sentiment as "estimatedSentiment",
        e.quality as "estimatedQuality", e.answered as "estimatedAnswered", e.grounded as "estimatedGrounded",
        e.estimated_at as "estimatedAt" from conversation_estimate e
        join conversation c on c.id = e.conversation_id and c.organization_id = e.organization_id
        where c.user_id = ${userId} and e.sentiment is not null`,
    ],
  ];
}

function boughtLists(userId: string): [string, SQL][] {
  return [
    [
      'purchases.json',
      sql`select p.id as key, p.id, p.name, p.state, p.terms, p.created_at as "createdAt",
        coalesce((select json_agg(json_build_object('amount', y.amount, 'currency', y.currency, 'refunded', y.refunded, 'paidAt', y.paid_at))
          from payment y where y.purchase_id = p.id and y.organization_id = p.organization_id), '[]') as payments
        from purchase p where p.user_id = ${userId}`,
    ],
    [
      'access.json',
      sql`select e.id as key, e.purchase_id as "purchaseId", e.kind, e.state, e.credits_left as "creditsLeft",
        e.is_unlimited as "isUnlimited", e.ends_at as "endsAt", e.created_at as "createdAt"
        from entitlement e where e.user_id = ${userId}`,
    ],
  ];
}

/** Their conversations, and others' rooms they are in. */
export function conversationsOf(userId: string): SQL {
  return sql`select c.id from conversation c where c.user_id = ${userId}
    union select p.conversation_id from participant p where p.user_id = ${userId} order by 1`;
}

/** The files they added, including recordings. */
export function filesOf(userId: string): SQL {
  return sql`select a.id, a.name, a.storage_key as "storageKey" from attachment a where a.user_id = ${userId} order by a.id`;
}
