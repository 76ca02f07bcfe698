import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import { HISTORY_MAX_MESSAGES } from '../../../contract/limits.ts';
import { allowanceSql } from '../../access/allowance.ts';
import { CREDITS_AN_ANSWER, creditLimit } from '../../access/credits.ts';
import type { Config } from '../../config.ts';
import { agent } from '../../db/schema/index.ts';
import { Shape } from '../../db/shape.ts';
import { statisticsSql } from '../knowledge/search.ts';
import { offeredSql } from '../tool/store.ts';
import { messageLimit, type Counted } from './limits.ts';
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

type Name =
  | 'conversationId'
  | 'userId'
  | 'agentId'
  | 'countedKey'
  | 'month'
  | 'upTo'
  | 'page'
  | 'sendKey'
  | 'title'
  | 'questionId'
  | 'text'
  | 'attachments'
  | 'authorId'
  | 'answerId'
  | 'runner';

const the = (name: Name) => sql.placeholder<Name>(name);

const shapes = new WeakMap<Config['billing'], Map<string, Shape<Name>>>();

/** The statement that begins a turn of this kind; see `beginTurn`. There are about ten. */
export function turnShape(config: Pick<Config, 'billing'>, kind: TurnKind): Shape<Name> {
  const known = shapes.get(config.billing) ?? new Map<string, Shape<Name>>();
  shapes.set(config.billing, known);
  const key = `${kind.isNew} ${kind.isKeyed} ${kind.askable} ${kind.counted}`;
  const shape = known.get(key) ?? new Shape<Name>(turnSql(config, kind));
  known.set(key, shape);
  return shape;
}

const isOpen = sql`a.is_public and not a.sells and a.allowed_origins = '[]'::jsonb and c.agent_version is null`;

const mayAsk: Record<Askable, SQL> = {
  any: sql`true`,
  open: isOpen,
  ofVisitor: sql`a.id = ${the('agentId')} and ${isOpen}`,
  ofKey: sql`a.id = ${the('agentId')} and not a.sells`,
};

const agentColumns = sql.raw(
  Object.entries(getTableColumns(agent))
    .map(([name, column]) => `a."${column.name}" as "${name}"`)
    .join(', '),
);

function turnSql(config: Pick<Config, 'billing'>, { isNew, isKeyed, askable, counted }: TurnKind): SQL {
  const upTo = isNew ? sql`opened.last_sequence` : sql`${the('upTo')}::int`;
  const limit = creditLimit(config, sql`opened.organization_id`, the('month'));
  const isPaid = limit ? sql`exists (select from held)` : sql`true`;
  const isNotSent = sql`and not exists (select from message where organization_id = c.organization_id
    and conversation_id = c.id and send_key = ${the('sendKey')})`;
  return sql`
    with opened as (
      select c.id, c.organization_id, c.agent_id, c.agent_version, c.kind, c.last_sequence, c.dry_run,
          coalesce(${the('page')}::text, c.page) as page from conversation c
       where c.id = ${the('conversationId')} and c.deleted_at is null and c.answering is null
         and c.handling in ('bot', 'closed') and ${isOf(the('userId'))}
         and exists (select from agent a where a.id = c.agent_id and a.deleted_at is null and ${mayAsk[askable]})
         ${isNew && isKeyed ? isNotSent : sql``}
       for update of c skip locked),
    ${counted ? countedSql(counted) : sql``}
    granted as (select opened.* from opened ${counted ? sql`, asker where asker.is_known or exists (select from allowed)` : sql``}),
    ${limit ? holdSql(limit) : sql``}
    taken as (
      update conversation set last_sequence = conversation.last_sequence + ${isNew ? 2 : 1}, answering = ${the('answerId')},
        handling = 'bot', updated_at = now(), page = granted.page,
        title = case when title = '' then ${isNew ? the('title') : sql`title`} else title end
      from granted where conversation.id = granted.id and ${isPaid}
      returning conversation.id, conversation.organization_id, conversation.last_sequence),
    leaf as (
      select m.id from message m where m.conversation_id = ${the('conversationId')}
         and m.organization_id = (select organization_id from opened) and m.active order by m.sequence desc limit 1),
    made as (
      insert into message (id, organization_id, conversation_id, role, text, state, sequence, runner, parent_id, reserved,
          attachments, author_id, send_key)
      ${isNew ? questionSql : sql``}
      select ${the('answerId')}, organization_id, id, 'assistant', '', 'pending', last_sequence, ${the('runner')}::bigint,
          ${the('questionId')}::text, ${limit ? CREDITS_AN_ANSWER : 0}::int, '[]'::jsonb, null, null from taken
      returning id, sequence, created_at)
    select ${agentColumns}, opened.kind, exists (select from granted) as granted,
      (select json_build_object('sequence', sequence, 'createdAt', created_at) from made where id = ${the('answerId')}) as made,
      (select id from leaf) as "parentId",
      ${readSql(sql`${the('conversationId')}`, upTo)},
      opened.page, opened.dry_run as "dryRun", ${tried} as tried
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

/** The row of a new question, before that of its answer. */
const questionSql = sql`select ${the('questionId')}, organization_id, id, 'user', ${the('text')}, 'complete', last_sequence - 1,
          null::bigint, (select id from leaf), 0, ${the('attachments')}::jsonb,
          (select case when kind = 'game' then ${the('authorId')}::text end from opened), ${the('sendKey')}::text from taken
        union all`;

/** Takes one of the messages of somebody who is not known. A guest who is a member of the agent's organization is. */
function countedSql(who: Counted['who']): SQL {
  const isMember = sql`exists (select from member m
    where m.organization_id = opened.organization_id and m.user_id = ${the('userId')})`;
  return sql`asker as (select ${who === 'guest' ? isMember : sql`false`} as is_known from opened),
    allowed as (${allowanceSql(the('countedKey'), messageLimit, sql`from asker where not is_known`)}),`;
}

/** Holds credits where the month has any left. The row is read again when another request has just written it. */
function holdSql(limit: SQL): SQL {
  return sql`plan as (select ${limit} as credits from granted as opened),
    held as (
      insert into credit_usage (organization_id, month, reserved)
      select organization_id, ${the('month')}, ${CREDITS_AN_ANSWER}::int from granted, plan where credits >= ${CREDITS_AN_ANSWER}
      on conflict (organization_id, month) do update set reserved = credit_usage.reserved + excluded.reserved
        where credit_usage.used + credit_usage.reserved + excluded.reserved <= (select credits from plan)
      returning 1),`;
}
