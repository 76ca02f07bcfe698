import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import { HISTORY_MAX_MESSAGES } from '../../../contract/limits.ts';
import { CREDITS_AN_ANSWER, creditLimit, monthIn } from '../../access/credits.ts';
import type { Config } from '../../config/config.ts';
import { agent } from '../../db/schema/index.ts';
import { Shape } from '../../db/shape.ts';
import { statisticsSql } from '../knowledge/search.ts';
import { offeredSql } from '../tool/store.ts';
import type { Counted } from './limits.ts';
import { isOf } from './store.ts';
import { countedSql, heldSql, ofCounted, planSql } from './turn-taken-sql.ts';

/**
 * Which agent may be asked without a look at anything else: `any`, because that was looked at; one that is `open` to all; by a
 * visitor the one `ofVisitor`; by its key the one `ofKey`. An agent that sells is asked only where its price is held.
 */
export type Askable = 'any' | 'open' | 'ofVisitor' | 'ofKey';

/** What the statement that begins a turn differs by. */
interface TurnKind {
  /** A question that is not stored yet. */
  isNew: boolean;
  /** It was sent under a key. */
  isKeyed: boolean;
  askable: Askable;
  counted: Counted['who'] | undefined;
}

/** By the clock that says when an answer was begun, so that what is held is settled in the month in which it is held. */
const monthNow = monthIn(sql`now()`);

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
  const shape = known.get(key) ?? new Shape<Name>(given, keys, (...asked) => turnSql(config, kind, ...asked));
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

/** Nobody was begun of many who could not all have what they take. */
const isAlone = sql`(select count(*) > 1 from opened) and not exists (select from made where made.id = opened."answerId")`;

const agentColumns = sql.raw(
  Object.entries(getTableColumns(agent))
    .map(([name, column]) => `a."${column.name}" as "${name}"`)
    .join(', '),
);

/**
 * `asked`: who asks. Of many at once nobody is begun where not all of them can have what they take, messages of a visitor or credits of a
 * month: then each is to be asked for alone. The agent is looked at in each conversation that is asked for: as a join, PostgreSQL began with it
 * and read all of its conversations, for as long as it had not counted them. PostgreSQL copies the outermost list of what is selected with
 * every execution, so it only holds names.
 */
function turnSql(
  config: Pick<Config, 'billing'>,
  { isNew, isKeyed, askable, counted }: TurnKind,
  asked: SQL,
  isMany: boolean,
): SQL {
  const limit = creditLimit(config, sql`opened.organization_id`, sql`opened.month`);
  const isPaid = limit ? sql`exists (select from held where held.month = granted.month)` : sql`true`;
  // Who asks what is open to them tries no version of it.
  const isTrying = askable === 'any' || askable === 'ofKey';
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
    ${limit ? planSql(limit, isMany) : sql``}
    ${counted ? countedSql(counted, { isMany, isLimited: limit !== undefined }) : sql``}
    granted as (${counted ? ofCounted : sql`select * from opened`}),
    ${limit ? heldSql(isMany) : sql``}
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
    select begun.* from (select ${agentColumns}, opened."answerId" as "askedBy", opened.kind,
      exists (select from granted where granted.id = opened.id) as granted,
      (select json_build_object('sequence', sequence, 'createdAt', created_at) from made where made.id = opened."answerId") as made,
      ${isMany ? isAlone : sql`false`} as alone,
      (select leaf from leaf where leaf.id = opened.id) as "parentId",
      ${readSql(sql`opened.id`, isNew ? sql`opened.last_sequence` : sql`opened."upTo"`)},
      opened.page_now as page, opened.dry_run as "dryRun", ${isTrying ? tried : sql`null`} as tried
    from opened join agent a on a.id = opened.agent_id) as begun`;
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
