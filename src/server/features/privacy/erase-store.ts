import { sql, type SQL } from 'drizzle-orm';
import type { Erasure } from '../../../contract/privacy.ts';
import type { Tx } from '../../db/scope.ts';

/** Every statement that erases what a person has said and what came of it; `erase-person-store.ts` has the rest. */

export interface Person {
  userId: string;
  name: string;
  email: string | null;
  isAnonymous: boolean;
  /** Only what this agent has about them. */
  agent: { organizationId: string; agentId: string } | null;
}

export type ErasedKind = keyof Erasure['erased'];

/** Limits rows that refer to an agent to the one concerned; all rows, if everything about the person is erased. */
export function inReach({ agent }: Person, of: SQL): SQL {
  if (!agent) return sql`true`;
  return sql`(${of}.organization_id = ${agent.organizationId} and ${of}.agent_id = ${agent.agentId})`;
}

/**
 * Undefined for someone who no longer exists. Nothing new is stored about them until the transaction ends. Changes to
 * what they bought or said lock that first and then the person, and so does this.
 */
export async function lockPerson(tx: Tx, userId: string): Promise<Omit<Person, 'agent'> | undefined> {
  await tx.execute(sql`select from purchase where user_id = ${userId} order by id for update`);
  await tx.execute(sql`select from conversation where user_id = ${userId} order by id for update`);
  const { rows } = await tx.execute<Omit<Person, 'agent'> & Record<string, unknown>>(
    sql`select id as "userId", name, email, is_anonymous as "isAnonymous" from "user" where id = ${userId} for update`,
  );
  return rows[0];
}

export async function organizationOfAgent(tx: Tx, agentId: string): Promise<string | undefined> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`select organization_id as id from agent where id = ${agentId}`,
  );
  return rows[0]?.id;
}

/**
 * Records, until the transaction ends, which conversations and messages are to be erased: their own conversations and,
 * in others' rooms, what they said and the answers to it.
 */
export async function collectSaid(tx: Tx, person: Person): Promise<void> {
  const { userId } = person;
  await tx.execute(sql`create temp table erased_conversation on commit drop as
    select c.id, c.organization_id from conversation c where c.user_id = ${userId} and ${inReach(person, sql`c`)} for update`);
  await tx.execute(sql`create temp table erased_message on commit drop as
    select m.id, m.organization_id, m.conversation_id from message m
      join erased_conversation c on c.id = m.conversation_id and c.organization_id = m.organization_id
    union
    select m.id, m.organization_id, m.conversation_id from message m
      join conversation c on c.id = m.conversation_id and c.organization_id = m.organization_id
      left join message asked on asked.id = m.parent_id and asked.organization_id = m.organization_id
     where c.user_id <> ${userId} and ${inReach(person, sql`c`)}
       and ((m.role = 'user' and m.author_id = ${userId})
         or (m.role = 'assistant' and asked.role = 'user' and asked.author_id = ${userId}))`);
}

/** Nobody looks for new webhook events meanwhile: those already found can be deleted. */
export async function holdWebhooks(tx: Tx): Promise<void> {
  await tx.execute(sql`
    select from plugin p where p.type = 'webhook' and exists (select from erased_message e
      join conversation c on c.id = e.conversation_id and c.organization_id = e.organization_id
       where c.agent_id = p.agent_id and c.organization_id = p.organization_id)
     order by p.id for no key update`);
}

/** Ends answers in progress as if they had been stopped: what was held for them is returned. */
export async function stopAnswers(tx: Tx): Promise<void> {
  await tx.execute(sql`
    with stopped as (
      select m.id, m.organization_id, m.reserved, to_char(m.created_at at time zone 'UTC', 'YYYY-MM') as month
        from message m join erased_message e on e.id = m.id and e.organization_id = m.organization_id
       where m.runner is not null for update of m),
    back as (
      update credit_usage set reserved = credit_usage.reserved - held.reserved
        from (select organization_id, month, sum(reserved) as reserved from stopped group by 1, 2) held
       where credit_usage.organization_id = held.organization_id and credit_usage.month = held.month)
    update message set runner = null, reserved = 0, held = 0, state = 'stopped' from stopped
     where message.id = stopped.id and message.organization_id = stopped.organization_id`);
  await tx.execute(sql`update conversation c set answering = null from erased_message e
    where c.answering = e.id and c.organization_id = e.organization_id`);
}

/** Others' rooms named after this person's first message have no title until something else is said; nor do links into them. */
export async function forgetTitles(tx: Tx): Promise<void> {
  await tx.execute(sql`
    update chat_link l set title = '' from erased_message e
      join message m on m.id = e.id and m.organization_id = e.organization_id
     where l.conversation_id = e.conversation_id and l.organization_id = e.organization_id and l.title <> ''
       and starts_with(ltrim(m.text), rtrim(l.title, '…'))`);
  await tx.execute(sql`
    update conversation c set title = '' from erased_message e
      join message m on m.id = e.id and m.organization_id = e.organization_id
     where c.id = e.conversation_id and c.organization_id = e.organization_id and c.title <> ''
       and starts_with(ltrim(m.text), rtrim(c.title, '…'))`);
}

/** In others' rooms, what was said after an erased message now follows what was said before it. */
export async function joinWhatStays(tx: Tx): Promise<void> {
  await tx.execute(sql`
    with recursive up as (
      select m.id, m.organization_id, m.parent_id as above from message m
        join erased_message e on e.id = m.parent_id and e.organization_id = m.organization_id
       where not exists (select from erased_message gone where gone.id = m.id)
      union all
      select up.id, up.organization_id, p.parent_id from up
        join message p on p.id = up.above and p.organization_id = up.organization_id
        join erased_message gone on gone.id = p.id)
    update message m set parent_id = up.above from up
     where m.id = up.id and m.organization_id = up.organization_id
       and not exists (select from erased_message gone where gone.id = up.above)`);
}

const ofSaid = (row: SQL) =>
  sql`exists (select from erased_message e where e.id = ${row}.message_id and e.organization_id = ${row}.organization_id)`;
const ofConversation = (row: SQL) =>
  sql`exists (select from erased_conversation e where e.id = ${row}.conversation_id and e.organization_id = ${row}.organization_id)`;

/** For questions `q`. */
export const askedByThem = (): SQL =>
  sql`exists (select from erased_message e where e.id = q.message_id and e.organization_id = q.organization_id)`;

/**
 * What was reported to others or to services. Like those below, in this order, since each is found through what is
 * erased after it.
 */
export function toldStatements(person: Person): [ErasedKind | null, SQL][] {
  const { userId } = person;
  return [
    [
      'deliveries',
      sql`delete from webhook_delivery d using plugin p where p.id = d.plugin_id and p.organization_id = d.organization_id
        and ${inReach(person, sql`p`)} and (position(${userId} in d.payload) > 0
          or exists (select from erased_message e where e.id = d.subject and e.organization_id = d.organization_id))`,
    ],
    [
      'jobs',
      sql`delete from pgboss.job j where j.state <> 'active' and (
        exists (select from erased_conversation e where e.id = j.data ->> 'conversationId')
        or exists (select from channel_thread t join visitor v on v.id = t.visitor_id and v.organization_id = t.organization_id
          where t.id = j.data ->> 'threadId' and v.user_id = ${userId} and ${inReach(person, sql`v`)}))`,
    ],
    [
      'channelMessages',
      sql`delete from channel_message m using channel_thread t, visitor v
        where t.id = m.thread_id and t.organization_id = m.organization_id and v.id = t.visitor_id
          and v.organization_id = t.organization_id and v.user_id = ${userId} and ${inReach(person, sql`v`)}`,
    ],
    ['leads', sql`delete from lead l where ${ofConversation(sql`l`)}`],
    ['toolCalls', sql`delete from tool_call t where ${ofConversation(sql`t`)} or ${ofSaid(sql`t`)}`],
    [
      'connectedAccounts',
      sql`delete from tool_account a using tool t where t.id = a.tool_id and t.organization_id = a.organization_id
        and a.user_id = ${userId} and ${inReach(person, sql`t`)}`,
    ],
  ];
}

export function saidStatements(person: Person): [ErasedKind | null, SQL][] {
  const { userId } = person;
  return [
    [
      'feedback',
      sql`delete from message_feedback f where ${ofSaid(sql`f`)} or (f.user_id = ${userId} and exists (
        select from message m join conversation c on c.id = m.conversation_id and c.organization_id = m.organization_id
         where m.id = f.message_id and m.organization_id = f.organization_id and ${inReach(person, sql`c`)}))`,
    ],
    ['notes', sql`delete from conversation_note n where ${ofConversation(sql`n`)}`],
    ['handovers', sql`delete from handover h where ${ofConversation(sql`h`)}`],
    ['links', sql`delete from chat_link l where ${ofConversation(sql`l`)}`],
    [
      'files',
      sql`delete from attachment a where ${ofConversation(sql`a`)} or (a.user_id = ${userId} and exists (
        select from conversation c where c.id = a.conversation_id and c.organization_id = a.organization_id
          and ${inReach(person, sql`c`)}))`,
    ],
    [
      null,
      sql`delete from participant p using conversation c where c.id = p.conversation_id and c.organization_id = p.organization_id
        and p.user_id = ${userId} and ${inReach(person, sql`c`)}`,
    ],
    [
      'messages',
      sql`delete from message m using erased_message e where e.id = m.id and e.organization_id = m.organization_id`,
    ],
  ];
}

/** Mails to members that quote messages name the waiting conversation; run this before it is gone. */
export function tellingMails(): SQL {
  return sql`exists (select from handover h
    join erased_conversation c on c.id = h.conversation_id and c.organization_id = h.organization_id
    where position(c.id in mail.text) > 0)`;
}

/** With the jobs that would send them. Returns how many there were. */
export async function eraseMails(tx: Tx, which: SQL): Promise<number> {
  const { rows } = await tx.execute<{ count: number }>(sql`
    with gone as (delete from mail where ${which} returning id),
      unsent as (delete from pgboss.job j using gone
        where j.name = 'mail.send' and j.state <> 'active' and j.data ->> 'mailId' = gone.id)
    select count(*)::int as count from gone`);
  return rows[0]?.count ?? 0;
}

export async function eraseConversations(tx: Tx): Promise<number> {
  const { rowCount } = await tx.execute(sql`delete from conversation c using erased_conversation e
    where e.id = c.id and e.organization_id = c.organization_id`);
  return rowCount ?? 0;
}
