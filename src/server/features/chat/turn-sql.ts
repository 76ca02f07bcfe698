import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import { HISTORY_MAX_MESSAGES } from '../../../contract/limits.ts';
import { allowanceSql } from '../../access/allowance.ts';
import { CREDITS_AN_ANSWER, creditLimit } from '../../access/credits.ts';
import type { Config } from '../../config.ts';
import { agent } from '../../db/schema/index.ts';
import { Shape } from '../../db/shape.ts';
import { statisticsSql } from '../knowledge/search.ts';
import { offeredSql } from '../tool/store.ts';
import { messageLimits, type Counted } from './limits.ts';
import { isOf } from './store.ts';

/**
 * Which agent may be asked without a look at anything else: `any`, because that was looked at; one that is `open` to all; by a
 * visitor the one `ofVisitor`; by its key the one `ofKey`. An agent that sells is asked only where its price is held.
 */
export type Askable = 'any' | 'open' | 'ofVisitor' | 'ofKey';

/** What the statement that begins a turn differs by. */
export interface TurnKind {
  /** A question that is not stored yet. */
  isNew: boolean;
  /** It was sent under a key. */
  isKeyed: boolean;
  askable: Askable;
  counted: Counted['who'] | undefined;
}

/** By the clock that says when an answer was begun, so that what is held is settled in the month in which it is held. */
const monthNow = sql`to_char(now() at time zone 'UTC', 'YYYY-MM')`;

/** What each who asks gives. */
const given = {
  conversationId: 'text',
  userId: 'text',
  agentId: 'text',
  countedKey: 'text',
  upTo: 'int',
  page: 'text',
  sendKey: 'text',
  title: 'text',
  questionId: 'text',
  text: 'text',
  attachments: 'text',
  authorId: 'text',
  answerId: 'text',
  runner: 'bigint',
} as const;

type Name = keyof typeof given;

/** Begun in one statement are turns in different conversations. */
const keys = { key: 'answerId', apart: 'conversationId' } as const;

const shapes = new WeakMap<Config['billing'], Map<string, Shape<Name>>>();

/** The statement that begins turns of this kind; see `beginTurn`. There are about ten. */
export function turnShape(config: Pick<Config, 'billing'>, kind: TurnKind): Shape<Name> {
  const known = shapes.get(config.billing) ?? new Map<string, Shape<Name>>();
  shapes.set(config.billing, known);
  const key = `${kind.isNew} ${kind.isKeyed} ${kind.askable} ${kind.counted}`;
  const shape = known.get(key) ?? new Shape<Name>(given, keys, (asked) => turnSql(config, kind, asked));
  known.set(key, shape);
  return shape;
}

const isOpen = sql`a.is_public and not a.sells and a.allowed_origins = '[]'::jsonb and c.agent_version is null`;

const mayAsk: Record<Askable, SQL> = {
  any: sql`true`,
  open: isOpen,
  ofVisitor: sql`a.id = asked."agentId" and ${isOpen}`,
  ofKey: sql`a.id = asked."agentId" and not a.sells`,
};

const agentColumns = sql.raw(
  Object.entries(getTableColumns(agent))
    .map(([name, column]) => `a."${column.name}" as "${name}"`)
    .join(', '),
);

/**
 * `asked`: who asks. Of many at once nobody is begun where not all of them can have what they take, messages of a visitor or credits of a
 * month: then each is to be asked for alone. The agent is looked at in each conversation that is asked for: as a join, PostgreSQL began with it
 * and read all of its conversations, for as long as it had not counted them.
 */
function turnSql(
  config: Pick<Config, 'billing'>,
  { isNew, isKeyed, askable, counted }: TurnKind,
  asked: SQL,
): SQL {
  const limit = creditLimit(config, sql`opened.organization_id`, sql`opened.month`);
  const isPaid = limit ? sql`exists (select from held where held.month = granted.month)` : sql`true`;
  const isNotSent = sql`and not exists (select from message where organization_id = c.organization_id
    and conversation_id = c.id and send_key = asked."sendKey")`;
  return sql`
    with opened as (
      select c.id, c.organization_id, c.agent_id, c.agent_version, c.kind, c.last_sequence, c.dry_run,
          coalesce(asked.page, c.page) as page_now, asked.*, ${monthNow} as month
        from ${asked} asked join conversation c on c.id = asked."conversationId"
       where c.deleted_at is null and c.answering is null and c.handling in ('bot', 'closed') and ${isOf(sql`asked."userId"`)}
         and (select a.deleted_at is null and ${mayAsk[askable]} from agent a where a.id = c.agent_id)
         ${isNew && isKeyed ? isNotSent : sql``}
       for no key update of c skip locked),
    ${limit ? planSql(limit) : sql``}
    ${counted ? countedSql(counted, limit ? isAmple : sql`true`) : sql``}
    granted as (${counted ? ofCounted : sql`select * from opened`}),
    ${limit ? held : sql``}
    taken as (
      update conversation set last_sequence = conversation.last_sequence + ${isNew ? 2 : 1}, answering = granted."answerId",
        handling = 'bot', updated_at = now(), page = granted.page_now,
        title = case when conversation.title = '' then ${isNew ? sql`granted.title` : sql`conversation.title`} else conversation.title end
      from granted where conversation.id = granted.id and ${isPaid}
      returning conversation.last_sequence as sequence, granted.*),
    leaf as (
      select opened.id, (select m.id from message m where m.conversation_id = opened.id
         and m.organization_id = opened.organization_id and m.active order by m.sequence desc limit 1) as leaf from opened),
    made as (
      insert into message (id, organization_id, conversation_id, role, text, state, sequence, runner, parent_id, reserved,
          attachments, author_id, send_key)
      ${isNew ? questionSql : sql``}
      select "answerId", organization_id, id, 'assistant', '', 'pending', sequence, runner, "questionId",
          ${limit ? CREDITS_AN_ANSWER : 0}::int, '[]'::jsonb, null, null from taken
      returning id, sequence, created_at)
    select ${agentColumns}, opened."answerId" as "askedBy", opened.kind,
      exists (select from granted where granted.id = opened.id) as granted,
      (select json_build_object('sequence', sequence, 'createdAt', created_at) from made where made.id = opened."answerId") as made,
      (select count(*) > 1 from opened) and not exists (select from made where made.id = opened."answerId") as alone,
      (select leaf from leaf where leaf.id = opened.id) as "parentId",
      ${readSql(sql`opened.id`, isNew ? sql`opened.last_sequence` : sql`opened."upTo"`)},
      opened.page_now as page, opened.dry_run as "dryRun", ${tried} as tried
    from opened join agent a on a.id = opened.agent_id`;
}

/** What making an answer needs to know, of a conversation `opened`: what was said, what there is to search and to call. */
export function readSql(conversationId: SQL, upTo: SQL): SQL {
  const [organizationId, agentId] = [sql`opened.organization_id`, sql`opened.agent_id`];
  return sql`(select json_agg(h) from (
         select m.id, m.role, m.text, m.author_id as "authorId", m.attachments from message m
          where m.conversation_id = ${conversationId} and m.organization_id = opened.organization_id and m.active and m.text <> ''
            and m.sequence <= ${upTo} order by m.sequence desc limit ${HISTORY_MAX_MESSAGES}) h) as history,
      ${statisticsSql(organizationId, agentId)} as statistics,
      ${offeredSql(organizationId, agentId)} as tools`;
}

/** The version of the agent that is tried in this conversation, if one is. */
const tried = sql`(select json_build_object('number', v.number, 'settings', v.settings) from agent_version v
  where opened.agent_version is not null and v.organization_id = opened.organization_id and v.agent_id = opened.agent_id
    and v.number = case opened.agent_version when 0 then a.version else opened.agent_version end)`;

/** The rows of new questions, before those of their answers. */
const questionSql = sql`select "questionId", organization_id, taken.id, 'user', text, 'complete', sequence - 1,
          null::bigint, leaf, 0, attachments::jsonb, case when kind = 'game' then "authorId" end, "sendKey"
        from taken join leaf on leaf.id = taken.id
        union all`;

/** Takes messages of who is not known. A person who is a member of the agent's organization is. `isPossible`: of `opened`. */
function countedSql(who: Counted['who'], isPossible: SQL): SQL {
  const isMember = sql`exists (select from member m
    where m.organization_id = opened.organization_id and m.user_id = opened."userId")`;
  const taken = sql`select "countedKey", array_agg(clock_timestamp()) from opened join asker on asker.id = opened.id
    where not is_known and ${isPossible} group by "countedKey" order by "countedKey"`;
  return sql`asker as (select opened.id, ${who === 'visitor' ? sql`false` : isMember} as is_known from opened),
    allowed as (${allowanceSql(taken, messageLimits[who])}),`;
}

const ofCounted = sql`select opened.* from opened join asker on asker.id = opened.id
  where is_known or exists (select from allowed where key = opened."countedKey")`;

/** How many credits there are in the months that are asked for, and how many are wanted of them. */
function planSql(limit: SQL): SQL {
  return sql`plan as (
      select organization_id, month, wanted, ${limit} as credits
        from (select organization_id, month, ${CREDITS_AN_ANSWER} * count(*)::int as wanted from opened group by 1, 2) as opened),`;
}

/** Who asks with others is not counted where credits run out: each is asked for alone then, and would be counted twice. */
const isAmple = sql`((select count(*) = 1 from opened) or exists (select from plan where plan.month = opened.month
    and plan.wanted + coalesce((select u.used + u.reserved from credit_usage u
      where u.organization_id = plan.organization_id and u.month = plan.month), 0) <= plan.credits))`;

/** Holds credits where the month has as many left. The row is read again when another request has just written it. */
const held = sql`held as (
      insert into credit_usage (organization_id, month, reserved)
      select organization_id, month, ${CREDITS_AN_ANSWER} * count(*)::int from granted group by 1, 2
      having ${CREDITS_AN_ANSWER} * count(*) <= (select credits from plan where plan.month = granted.month)
      on conflict (organization_id, month) do update set reserved = credit_usage.reserved + excluded.reserved
        where credit_usage.used + credit_usage.reserved + excluded.reserved
          <= (select credits from plan where plan.month = excluded.month)
      returning month),`;
