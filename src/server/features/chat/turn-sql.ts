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
import { countedSql, heldSql, leftSql, ofCounted, planSql } from './turn-taken-sql.ts';

/**
 * Which agents may be asked without further checks: `any`, because they were already made; one that is `open` to all;
 * for a visitor the one `ofVisitor`; for its key the one `ofKey`. An agent that sells is only asked where its price is
 * held.
 */
export type Askable = 'any' | 'open' | 'ofVisitor' | 'ofKey';

/** The variants of the statement that starts a turn. */
interface TurnKind {
  /** A question that isn't stored yet. */
  isNew: boolean;
  /** It was sent under a key. */
  isKeyed: boolean;
  askable: Askable;
  counted: Counted['who'] | undefined;
}

/** By the clock that determines when an answer was started, so that a hold is settled in the month it was made. */
const monthNow = monthIn(sql`now()`);

/** The values given for each asker. */
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

/** Turns started in one statement belong to different conversations. */
const keys = { key: 'answerId', apart: 'conversationId' } as const;

interface TurnShapes {
  /** Reads and writes. */
  whole: Shape<Name>;
  /** The same in two statements of one transaction: the first locks the conversation. */
  read: Shape<Name>;
  write: Shape<Name>;
}

const shapes = new WeakMap<Config['billing'], Map<string, TurnShapes>>();

/** The statements that start turns of this kind; see `beginTurn`. There are about ten kinds. */
export function turnShapes(config: Pick<Config, 'billing'>, kind: TurnKind): TurnShapes {
  const known = shapes.get(config.billing) ?? new Map<string, TurnShapes>();
  shapes.set(config.billing, known);
  const key = `${kind.isNew} ${kind.isKeyed} ${kind.askable} ${kind.counted}`;
  const found = known.get(key) ?? {
    whole: new Shape<Name>(given, keys, (...asked) => turnSql(config, kind, ...asked)),
    read: new Shape<Name>(given, keys, (asked) => readTurnSql(kind, asked)),
    write: new Shape<Name>(given, keys, (asked) => writeTurnSql(config, kind, asked)),
  };
  known.set(key, found);
  return found;
}

const isOpen = sql`a.is_public and not a.sells and a.allowed_origins = '[]'::jsonb and c.agent_version is null`;

const mayAsk: Record<Askable, SQL> = {
  any: sql`true`,
  open: isOpen,
  ofVisitor: sql`a.id = asked."agentId" and ${isOpen}`,
  ofKey: sql`a.id = asked."agentId" and not a.sells`,
};

/** Out of several askers, none was started because there wasn't enough for all of them. */
const isAlone = sql`(select count(*) > 1 from opened) and not exists (select from made where made.id = opened."answerId")`;

const agentColumns = sql.raw(
  Object.entries(getTableColumns(agent))
    .map(([name, column]) => `a."${column.name}" as "${name}"`)
    .join(', '),
);

/**
 * `asked`: the askers. If there isn't enough for all of several, a visitor's messages or a month's credits, none is
 * started: each must then be asked separately.
 */
function turnSql(config: Pick<Config, 'billing'>, kind: TurnKind, asked: SQL, isMany: boolean): SQL {
  const made = sql`(select json_build_object('sequence', sequence, 'createdAt', created_at) from made
    where made.id = opened."answerId")`;
  return sql`
    with ${openedSql(kind, asked)}, ${takenSql(config, kind, isMany)}, ${leafSql}, ${madeSql(config, kind)}
    ${contextSql(
      kind,
      sql`exists (select from granted where granted.id = opened.id) as granted, ${made} as made,
        ${isMany ? isAlone : sql`false`} as alone, ${leftOf(config, kind)}`,
    )}`;
}

/** What a single turn reads. Its row is what `turnSql` would return if `writeTurnSql` succeeds. */
function readTurnSql(kind: TurnKind, asked: SQL): SQL {
  const made = sql`json_build_object('sequence', opened.last_sequence + ${sequencesOf(kind)}, 'createdAt', now()::timestamptz(3))`;
  return sql`with ${openedSql(kind, asked)}, ${leafSql}
    ${contextSql(kind, sql`true as granted, ${made} as made, false as alone`)}`;
}

/** What that turn writes, later in the same transaction. If `made` is false, a credit or a message was lacking. */
function writeTurnSql(config: Pick<Config, 'billing'>, kind: TurnKind, asked: SQL): SQL {
  return sql`
    with ${openedSql(kind, asked)}, ${takenSql(config, kind, false)}, ${leafSql}, ${madeSql(config, kind)}
    select exists (select from made) as made, ${leftOf(config, kind)} from opened`;
}

function leftOf({ billing }: Pick<Config, 'billing'>, { counted }: TurnKind): SQL {
  return leftSql({ isLimited: billing.mode !== 'off', counted });
}

/**
 * Locks the conversation. The agent is looked up per conversation: with a join, PostgreSQL started from the agent and
 * read all of its conversations until it had statistics on them.
 */
function openedSql({ isNew, isKeyed, askable }: TurnKind, asked: SQL): SQL {
  const isNotSent = sql`and not exists (select from message where organization_id = c.organization_id
    and conversation_id = c.id and send_key = asked."sendKey")`;
  return sql`opened as (
      select c.id, c.organization_id, c.agent_id, c.agent_version, c.kind, c.last_sequence, c.dry_run,
          coalesce(asked.page, c.page) as page_now, asked.*, ${monthNow} as month
        from ${asked} asked join conversation c on c.id = asked."conversationId"
       where c.deleted_at is null and c.answering is null and c.handling in ('bot', 'closed') and ${isOf(sql`asked."userId"`)}
         and (select a.deleted_at is null and ${mayAsk[askable]} from agent a where a.id = c.agent_id)
         ${isNew && isKeyed ? isNotSent : sql``}
       for no key update of c skip locked)`;
}

/** Takes a message from the asker's allowance, a credit, and the conversation. */
function takenSql(config: Pick<Config, 'billing'>, kind: TurnKind, isMany: boolean): SQL {
  const { isNew, counted } = kind;
  const limit = creditLimit(config, sql`opened.organization_id`, sql`opened.month`);
  const isPaid = limit ? sql`exists (select from held where held.month = granted.month)` : sql`true`;
  return sql`
    ${limit ? planSql(limit, isMany) : sql``}
    ${counted ? countedSql(counted, { isMany, isLimited: limit !== undefined }) : sql``}
    granted as (${counted ? ofCounted : sql`select * from opened`}),
    ${limit ? heldSql(isMany) : sql``}
    taken as (
      update conversation set last_sequence = conversation.last_sequence + ${sequencesOf(kind)}, answering = granted."answerId",
        handling = 'bot', updated_at = now(), page = granted.page_now,
        title = case when conversation.title = '' then ${isNew ? sql`granted.title` : sql`conversation.title`} else conversation.title end
      from granted where conversation.id = granted.id and ${isPaid}
      returning conversation.last_sequence as sequence, granted.*)`;
}

/** How many messages the turn stores: a question that is answered again is already there. */
function sequencesOf({ isNew }: TurnKind): SQL {
  return sql`${isNew ? 2 : 1}::int`;
}

/** The last message of the visible branch, which a new question follows. */
const leafSql = sql`leaf as (
      select opened.id, (select m.id from message m where m.conversation_id = opened.id
         and m.organization_id = opened.organization_id and m.active order by m.sequence desc limit 1) as leaf from opened)`;

/** Inserts the new question and its answer. */
function madeSql(config: Pick<Config, 'billing'>, { isNew }: TurnKind): SQL {
  return sql`made as (
      insert into message (id, organization_id, conversation_id, role, text, state, sequence, runner, parent_id, reserved,
          attachments, author_id, send_key)
      ${isNew ? questionSql : sql``}
      select "answerId", organization_id, id, 'assistant', '', 'pending', sequence, runner, "questionId",
          ${config.billing.mode === 'off' ? 0 : CREDITS_AN_ANSWER}::int, '[]'::jsonb, null, null from taken
      returning id, sequence, created_at)`;
}

/**
 * Selects `outcome` and everything that generating the answer needs. PostgreSQL copies the outermost select list on
 * every execution, so that contains only names.
 */
function contextSql({ isNew, askable }: TurnKind, outcome: SQL): SQL {
  // Callers asking an agent that is open to them aren't trying one of its versions.
  const isTrying = askable === 'any' || askable === 'ofKey';
  return sql`select begun.* from (select ${agentColumns}, opened."answerId" as "askedBy", opened.kind, ${outcome},
      (select leaf from leaf where leaf.id = opened.id) as "parentId",
      ${readSql(sql`opened.id`, isNew ? sql`opened.last_sequence` : sql`opened."upTo"`)},
      opened.page_now as page, opened.dry_run as "dryRun", ${isTrying ? tried : sql`null`} as tried
    from opened join agent a on a.id = opened.agent_id) as begun`;
}

/** What generating an answer needs to know about a conversation `opened`: its history, and what can be searched and called. */
export function readSql(conversationId: SQL, upTo: SQL): SQL {
  const [organizationId, agentId] = [sql`opened.organization_id`, sql`opened.agent_id`];
  return sql`(select json_agg(h) from (
         select m.id, m.role, m.text, m.author_id as "authorId", m.attachments from message m
          where m.conversation_id = ${conversationId} and m.organization_id = opened.organization_id and m.active and m.text <> ''
            and m.sequence <= ${upTo} order by m.sequence desc limit ${HISTORY_MAX_MESSAGES}) h) as history,
      ${statisticsSql(organizationId, agentId)} as statistics,
      ${offeredSql(organizationId, agentId)} as tools`;
}

/** The agent version being tried in this conversation, if any. */
const tried = sql`(select json_build_object('number', v.number, 'settings', v.settings) from agent_version v
  where opened.agent_version is not null and v.organization_id = opened.organization_id and v.agent_id = opened.agent_id
    and v.number = case opened.agent_version when 0 then a.version else opened.agent_version end)`;

/** The rows of new questions, ahead of their answers' rows. */
const questionSql = sql`select "questionId", organization_id, taken.id, 'user', text, 'complete', sequence - 1,
          null::bigint, leaf, 0, attachments::jsonb, case when kind = 'game' then "authorId" end, "sendKey"
        from taken join leaf on leaf.id = taken.id
        union all`;
