import { sql, type SQL } from 'drizzle-orm';
import type { Erasure } from '../../../contract/privacy.ts';
import type { Tx } from '../../db/scope.ts';
import { inReach, type ErasedKind, type Person } from './erase-store.ts';

/** Every statement that erases a person's identity, and makes what must stay anonymous. */

type KeptKind = keyof Erasure['kept'];

/** In place of a name. */
const NOBODY = 'Erased';

/** Payments stay in the books with the provider's numbers, which identify nobody here; the resulting entitlement ends. */
export function boughtStatements(person: Person): [ErasedKind | KeptKind | null, SQL][] {
  const { userId } = person;
  return [
    [
      'entitlements',
      sql`delete from entitlement e where e.user_id = ${userId} and ${inReach(person, sql`e`)}`,
    ],
    [
      'purchases',
      sql`update purchase p set user_id = null, conversation_id = null, session_url = null
        where p.user_id = ${userId} and ${inReach(person, sql`p`)}`,
    ],
    [
      null,
      sql`delete from payment_customer c where c.user_id = ${userId} and not exists (select from purchase p
        where p.organization_id = c.organization_id and p.account_id = c.account_id and p.user_id = ${userId})`,
    ],
  ];
}

/** Whether a text contains this address, and not just a longer one that ends or begins with it. */
function tellsAddress(email: string | null, text: SQL): SQL {
  if (email === null) return sql`false`;
  const literally = email.replace(/[^A-Za-z0-9]/g, (sign) => `\\${sign}`);
  const pattern = `(^|[^[:alnum:]._%+-])${literally}($|[^[:alnum:]_-])`;
  return sql`${text} ~* ${pattern}`;
}

/** Whether a text contains this name as separate words, and not inside others. */
function tellsName(name: string, text: SQL): SQL {
  const literally = name.replace(/[\\^$.|?*+()[\]{}]/g, (sign) => `\\${sign}`);
  const pattern = `(^|[^[:alnum:]])${literally}($|[^[:alnum:]])`;
  return sql`${text} ~ ${pattern}`;
}

/** Keeps that something was changed, and what; not by whom, from where, or about whom. */
export async function forgetInAudit(tx: Tx, { userId, name, email, agent }: Person): Promise<number> {
  const where = agent ? sql`a.organization_id = ${agent.organizationId}` : sql`true`;
  // A member is erasing what an agent has about someone; as a member, that person remains known.
  const acts = agent ? sql`false` : sql`a.actor_id = ${userId}`;
  // Anyone may have a name, and any text may be one: it only means this person in organizations they were in, and where
  // a name belongs.
  const isTheirs = sql`a.organization_id in (select k.organization_id from audit_entry k where k.actor_id = ${userId}
    union select m.organization_id from member m where m.user_id = ${userId})`;
  const isNamed = sql`(a.target_id = ${userId}
    or a.target_id in (select m.id from member m where m.user_id = ${userId} and m.organization_id = a.organization_id)
    or a.target_id in (select c.id from erased_conversation c)
    or ${tellsAddress(email, sql`concat(a.target_name, ' ', a.before, ' ', a.after)`)}
    or position(${userId} in concat(a.before, a.after)) > 0
    or (${isTheirs} and a.target_id like 'mem\\_%' and a.target_name = ${name})
    or (${isTheirs} and ${!agent} and ${name} in (a.before->>'owner', a.after->>'owner')))`;
  const { rowCount } = await tx.execute(sql`
    update audit_entry a set
        actor_id = case when ${acts} then null else a.actor_id end,
        actor_name = case when ${acts} then ${NOBODY} else a.actor_name end,
        address = case when ${acts} then '' else a.address end,
        target_id = case when ${isNamed} then null else a.target_id end,
        target_name = case when ${isNamed} then ${NOBODY} else a.target_name end,
        before = case when ${isNamed} then '{}'::jsonb else a.before end,
        after = case when ${isNamed} then '{}'::jsonb else a.after end
     where ${where} and (${acts} or ${isNamed})`);
  return rowCount ?? 0;
}

/** Columns that name a person who created something the organization owns; where someone must be named, it becomes nobody. */
const made: [table: string, column: string, nobody: 'null' | "''"][] = [
  ['organization', 'created_by', "''"],
  ['api_key', 'created_by', "''"],
  ['invite', 'invited_by', "''"],
  ['file', 'created_by', "''"],
  ['upload', 'created_by', "''"],
  ['test_run', 'started_by', "''"],
  ['agent_import', 'created_by', "''"],
  ['knowledge_revision', 'created_by', 'null'],
  ['knowledge_revision', 'approved_by', 'null'],
  ['agent_version', 'created_by', 'null'],
  ['agent_version', 'published_by', 'null'],
];

/** Returns how much a member has left behind. */
export async function forgetMaker(tx: Tx, { userId }: Person): Promise<number> {
  let count = 0;
  await tx.execute(sql`update agent_import set address = '' where created_by = ${userId}`);
  for (const [table, column, nobody] of made) {
    const [of, by] = [sql.identifier(table), sql.identifier(column)];
    const { rowCount } = await tx.execute(
      sql`update ${of} set ${by} = ${sql.raw(nobody)} where ${by} = ${userId}`,
    );
    count += rowCount ?? 0;
  }
  // Conversations they had taken over wait for another member.
  await tx.execute(
    sql`update conversation set assignee_id = null, handling = case handling when 'human' then 'waiting' else handling end
      where assignee_id = ${userId}`,
  );
  return count;
}

/** Mails to them and, among those already sent, mails that name them: sent mails aren't read again here. */
export function ownMails({ name, email, isAnonymous }: Person): SQL {
  const byAddress =
    email === null
      ? sql`false`
      : sql`(lower(mail.recipient) = lower(${email}) or ${tellsAddress(email, sql`mail.text`)})`;
  const named = sql`(mail.sent_at is not null and ${tellsName(name, sql`concat(mail.subject, ' ', mail.text)`)})`;
  return isAnonymous ? byAddress : sql`(${byAddress} or ${named})`;
}

/** Everything that is left of a person, who is deleted with it. */
export function personStatements({ userId, email }: Person): [ErasedKind | null, SQL][] {
  return [
    [
      'invites',
      sql`delete from invite where ${email === null ? sql`false` : sql`lower(email) = lower(${email})`}`,
    ],
    ['memberships', sql`delete from member where user_id = ${userId}`],
    [
      'signIns',
      sql`with sessions as (delete from session where user_id = ${userId} returning 1),
        accounts as (delete from account where user_id = ${userId} returning 1)
        select 1 from sessions union all select 1 from accounts`,
    ],
    [
      null,
      sql`delete from sign_in_link where ${email === null ? sql`false` : sql`lower(email) = lower(${email})`}`,
    ],
    [null, sql`delete from idempotency_key where user_id = ${userId}`],
    [null, sql`delete from "user" where id = ${userId}`],
  ];
}

/** An agent's visitor is nobody anywhere else. */
export async function isVisitorOf(
  tx: Tx,
  userId: string,
  { organizationId, agentId }: { organizationId: string; agentId: string },
): Promise<boolean> {
  const { rows } = await tx.execute(
    sql`select from visitor where user_id = ${userId} and organization_id = ${organizationId} and agent_id = ${agentId}`,
  );
  return rows.length > 0;
}

/** Where bytes are stored that nothing refers to any more since this transaction began. */
export async function bytesOfErased(tx: Tx): Promise<string[]> {
  const { rows } = await tx.execute<{ key: string }>(
    sql`select storage_key as key from removed_bytes where removed_at = now()::timestamptz(3)`,
  );
  return rows.map(({ key }) => key);
}

/** Customers at the payment provider without any purchase that remains known. */
export async function customersOf(
  tx: Tx,
  { userId, agent }: Person,
): Promise<{ accountId: string; customerId: string }[]> {
  const elsewhere = agent ? sql`p.agent_id <> ${agent.agentId}` : sql`false`;
  const here = agent ? sql`c.organization_id = ${agent.organizationId}` : sql`true`;
  const { rows } = await tx.execute<{ accountId: string; customerId: string }>(
    sql`select c.account_id as "accountId", c.customer_id as "customerId" from payment_customer c
      where c.user_id = ${userId} and ${here} and not exists (select from purchase p where p.user_id = ${userId}
        and p.organization_id = c.organization_id and p.account_id = c.account_id and ${elsewhere})`,
  );
  return rows;
}
