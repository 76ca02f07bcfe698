import { sql, type SQL } from 'drizzle-orm';

/** What an organization has, list by list; agents are separate files. None contains a secret. */
export function organizationLists(organizationId: string): [name: string, statement: SQL][] {
  const here = (row: SQL) => sql`${row}.organization_id = ${organizationId}`;
  return [
    ...peopleLists(organizationId, here),
    ...settingLists(here),
    ...saleLists(here),
    ...talkLists(here),
  ];
}

type Here = (row: SQL) => SQL;

function peopleLists(organizationId: string, here: Here): [string, SQL][] {
  return [
    [
      'organization.json',
      sql`select o.id as key, o.id, o.name, o.plan_type as "planType", o.credit_stop as "creditStop",
        o.stop_message as "stopMessage", o.bonus_credits as "bonusCredits", o.created_at as "createdAt",
        (select to_json(i) from inbox_setting i where i.organization_id = o.id) as inbox
        from organization o where o.id = ${organizationId}`,
    ],
    [
      'members.json',
      sql`select m.id as key, m.user_id as "userId", u.name, u.email, m.role, m.created_at as "createdAt" from member m
        join "user" u on u.id = m.user_id where ${here(sql`m`)}`,
    ],
    [
      'invites.json',
      sql`select i.id as key, i.email, i.role, i.status, i.created_at as "createdAt" from invite i where ${here(sql`i`)}`,
    ],
    [
      'teams.json',
      sql`select t.id as key, t.id, t.name,
        array(select user_id from team_member x where x.team_id = t.id and x.organization_id = t.organization_id order by 1) as members,
        array(select agent_id from team_agent x where x.team_id = t.id and x.organization_id = t.organization_id order by 1) as agents
        from team t where ${here(sql`t`)}`,
    ],
    [
      'audit-log.jsonl',
      sql`select a.id as key, a.action, a.actor_id as "actorId", a.actor_name as "actorName", a.target_id as "targetId",
        a.target_name as "targetName", a.before, a.after, a.address, a.created_at as "createdAt"
        from audit_entry a where ${here(sql`a`)}`,
    ],
  ];
}

function settingLists(here: Here): [string, SQL][] {
  return [
    [
      'api-keys.json',
      sql`select k.id as key, k.name, k.scope, k.preview, k.revoked_at as "revokedAt", k.created_at as "createdAt"
        from api_key k where ${here(sql`k`)}`,
    ],
    [
      'model-providers.json',
      sql`select p.id as key, p.provider, p.base_url as "baseUrl", p.models from model_provider p where ${here(sql`p`)}`,
    ],
    [
      'saved-answers.json',
      sql`select a.id as key, a.title, a.text from canned_answer a where ${here(sql`a`)}`,
    ],
    [
      'plugins.json',
      sql`select p.id as key, p.id, p.agent_id as "agentId", p.type, p.status, p.settings_data as settings,
        p.account_name as "accountName", p.created_at as "createdAt" from plugin p where ${here(sql`p`)}`,
    ],
    [
      'storefronts.json',
      sql`select s.id as key, s.agent_id as "agentId", s.draft, s.published, s.published_at as "publishedAt"
        from storefront s where ${here(sql`s`)}`,
    ],
  ];
}

function saleLists(here: Here): [string, SQL][] {
  return [
    [
      'products.json',
      sql`select p.id as key, p.id, p.agent_id as "agentId", p.state, p.payment_config as "paymentConfig",
        p.details_config as "detailsConfig", p.created_at as "createdAt" from product p where ${here(sql`p`)}`,
    ],
    [
      'purchases.jsonl',
      sql`select p.id as key, p.id, p.agent_id as "agentId", p.product_id as "productId", p.user_id as "userId", p.name, p.state,
        p.terms, p.created_at as "createdAt",
        coalesce((select json_agg(json_build_object('id', y.id, 'amount', y.amount, 'currency', y.currency, 'refunded', y.refunded,
          'fee', y.fee, 'paidAt', y.paid_at)) from payment y where y.purchase_id = p.id and y.organization_id = p.organization_id), '[]') as payments
        from purchase p where ${here(sql`p`)}`,
    ],
    [
      'access.jsonl',
      sql`select e.id as key, e.purchase_id as "purchaseId", e.user_id as "userId", e.kind, e.state,
        e.credits_left as "creditsLeft", e.ends_at as "endsAt" from entitlement e where ${here(sql`e`)}`,
    ],
  ];
}

/** Conversations as members see them: temporary ones belong to the end user alone, trials and deleted ones to nobody. */
const isSeen = sql`not c.temporary and c.agent_version is null and c.deleted_at is null`;
const ofSeen = (row: SQL) =>
  sql`exists (select from conversation c where c.id = ${row}.conversation_id and c.organization_id = ${row}.organization_id and ${isSeen})`;

function talkLists(here: Here): [string, SQL][] {
  return [
    [
      'end-users.jsonl',
      sql`select u.id as key, u.id, u.name, min(c.created_at) as "firstSeenAt", max(c.updated_at) as "lastSeenAt",
        count(*)::int as conversations from conversation c join "user" u on u.id = c.user_id
        where ${here(sql`c`)} and ${isSeen} group by u.id`,
    ],
    [
      'contact-details.jsonl',
      sql`select l.id as key, l.agent_id as "agentId", l.conversation_id as "conversationId", l.values, l.created_at as "createdAt"
        from lead l where ${here(sql`l`)} and exists (select from conversation c where c.id = l.conversation_id
          and c.organization_id = l.organization_id and c.deleted_at is null)`,
    ],
    [
      'conversations.jsonl',
      sql`select c.id as key, c.id, c.agent_id as "agentId", c.user_id as "userId", c.kind, c.channel, c.title, c.page,
        c.handling, c.created_at as "createdAt", c.updated_at as "updatedAt", (select coalesce(json_agg(json_build_object(
          'id', m.id, 'author', case m.role when 'assistant' then 'ai' when 'operator' then 'person' else m.role end,
          'authorId', m.author_id, 'text', m.text, 'state', m.state, 'attachments', m.attachments, 'parentId', m.parent_id,
          'isShown', m.active, 'createdAt', m.created_at) order by m.sequence), '[]') from message m
          where m.conversation_id = c.id and m.organization_id = c.organization_id) as messages
        from conversation c where ${here(sql`c`)} and ${isSeen}`,
    ],
    [
      'estimates.jsonl',
      sql`select e.conversation_id as key, e.conversation_id as "conversationId", e.agent_id as "agentId",
        e.sentiment as "estimatedSentiment", e.quality as "estimatedQuality", e.answered as "estimatedAnswered",
        e.grounded as "estimatedGrounded", e.estimated_at as "estimatedAt" from conversation_estimate e
        where ${here(sql`e`)} and e.sentiment is not null and ${ofSeen(sql`e`)}`,
    ],
    [
      'feedback.jsonl',
      sql`select f.message_id || f.user_id as key, f.message_id as "messageId", f.user_id as "userId", f.rating, f.reason, f.comment,
        f.updated_at as "at" from message_feedback f join message m on m.id = f.message_id and m.organization_id = f.organization_id
        where ${here(sql`f`)} and ${ofSeen(sql`m`)}`,
    ],
    [
      'notes.jsonl',
      sql`select n.id as key, n.conversation_id as "conversationId", n.author_id as "authorId", n.text, n.created_at as "createdAt"
        from conversation_note n where ${here(sql`n`)} and ${ofSeen(sql`n`)}`,
    ],
  ];
}

export function agentsOf(organizationId: string): SQL {
  return sql`select a.id, a.handle from agent a where a.organization_id = ${organizationId} and a.deleted_at is null order by a.id`;
}

export function filesOf(organizationId: string): SQL {
  return sql`select a.id, a.name, a.storage_key as "storageKey" from attachment a
    join conversation c on c.id = a.conversation_id and c.organization_id = a.organization_id
    where a.organization_id = ${organizationId} and ${isSeen} order by a.id`;
}
