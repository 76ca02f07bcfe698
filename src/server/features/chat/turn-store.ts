import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { Attachment, ConversationKind } from '../../../contract/chat.ts';
import { HISTORY_MAX_MESSAGES } from '../../../contract/limits.ts';
import type { VersionSettings } from '../../../contract/version.ts';
import { allowanceSql, type AllowanceLimit } from '../../access/allowance.ts';
import { asLive, withSettings } from '../../access/agent-settings.ts';
import type { Charge } from '../../access/entitlement.ts';
import type { Agent } from '../../access/gate.ts';
import type { Config } from '../../config.ts';
import { agent } from '../../db/schema/index.ts';
import { newId } from '../../id.ts';
import { statisticsSql, type StatisticsRow } from '../knowledge/search.ts';
import { offeredSql, type OfferedOperation } from '../tool/store.ts';
import { CREDITS_AN_ANSWER, creditLimit, monthOf } from '../../access/credits.ts';
import type { StoredMessage } from './store.ts';
import { titleFrom } from './title.ts';
import type { StoredCall } from './tool-call-store.ts';

/** What was said before, newest first. */
export type Said = Pick<StoredMessage, 'id' | 'role' | 'text' | 'authorId' | 'attachments'>;

/** With the branches beside it; unset: there are none. */
export type TurnMessage = StoredMessage & { siblings?: string[] };

/** A question, the answer to come, and everything that making it needs to know of the database. */
export interface Turn {
  question: TurnMessage;
  answer: TurnMessage;
  kind: ConversationKind;
  agent: Agent;
  history: Said[];
  statistics: StatisticsRow;
  /** What the agent may call. */
  tools: OfferedOperation[];
  /** What was called before, of an answer that goes on. */
  resumed?: StoredCall[];
  /** Who is answered, and on which page of a site. */
  userId: string;
  page: string | null;
  /** Calls of tools that do more than look are not made. */
  dryRun: boolean;
  /** What it takes of what the person has bought; unset: nothing. */
  charge?: Charge | undefined;
}

export interface NewQuestion {
  text: string;
  attachments: Attachment[];
  authorId: string | null;
  sendKey: string | null;
  /** Unset: the page of the message before. */
  page?: string | null | undefined;
}

export interface TurnRequest {
  conversationId: string;
  /** Which conversation may be continued, as a condition on `c`; and which agent may be asked, as one on `a`. */
  whose: SQL;
  askable: SQL;
  /** Whose messages are counted, unless a condition on `opened` says that they are known; unset: nobody's. */
  counted?: { key: string; limit: AllowanceLimit; unless: SQL } | undefined;
  /** A new question, or one that is answered again. */
  question: NewQuestion | StoredMessage;
  runner: number;
  userId: string;
  /** Of the answer; unset: a new one. */
  answerId?: string;
}

interface TurnRow extends Record<string, unknown> {
  made: { sequence: number; createdAt: string } | null;
  granted: boolean;
  parentId: string | null;
  kind: ConversationKind;
  history: Said[] | null;
  statistics: StatisticsRow;
  tools: OfferedOperation[] | null;
  /** Of the version that is tried in this conversation. */
  page: string | null;
  dryRun: boolean;
  tried: { number: number; settings: VersionSettings } | null;
}

export type TurnResult = Turn | 'not-possible' | 'no-credit';

/**
 * Begins an answer in one statement: the conversation is locked, a credit is held, question and answer are stored, and what
 * has been said is read. It is not possible while somebody else holds the conversation, so of any number of requests at once one
 * begins, and none waits with what others have asked for together with it.
 */
export async function beginTurn(
  run: (statement: SQL) => Promise<Record<string, unknown>[]>,
  config: Pick<Config, 'billing'>,
  request: TurnRequest,
): Promise<TurnResult> {
  const asked = isStored(request.question) ? request.question : undefined;
  const questionId = asked?.id ?? newId('message');
  const { answerId = newId('message') } = request;
  const limit = creditLimit(config, sql`opened.organization_id`);
  const [found] = (await run(turnSql(config, request, questionId, answerId))) as TurnRow[];
  if (!found?.granted) return 'not-possible';
  const { made, granted: _, parentId, kind, history, statistics, tools, page, dryRun, tried, ...row } = found;
  if (!made) return 'no-credit';
  const live = row as unknown as Agent;
  const answeredAgent = tried ? withSettings(live, tried.number, tried.settings) : asLive(live);
  const { userId } = request;
  const createdAt = new Date(made.createdAt);
  const shared = {
    ...blank,
    organizationId: answeredAgent.organizationId,
    conversationId: request.conversationId,
    createdAt,
    updatedAt: createdAt,
  };
  const question: StoredMessage = asked ?? {
    ...shared,
    ...request.question,
    authorId: kind === 'game' ? request.question.authorId : null,
    id: questionId,
    role: 'user',
    state: 'complete',
    parentId,
    sequence: made.sequence - 1,
  };
  const answer: StoredMessage = {
    ...shared,
    id: answerId,
    role: 'assistant',
    state: 'pending',
    parentId: questionId,
    sequence: made.sequence,
    runner: request.runner,
    reserved: limit ? CREDITS_AN_ANSWER : 0,
  };
  const read = { kind, history: history ?? [], statistics, tools: tools ?? [], page, dryRun };
  return { question, answer, agent: answeredAgent, userId, ...read };
}

function isStored(question: NewQuestion | StoredMessage): question is StoredMessage {
  return 'id' in question;
}

const blank = {
  text: '',
  citations: [],
  attachments: [],
  suggestions: [],
  error: null,
  hasToolCalls: false,
  receipt: null,
  authorId: null,
  parentId: null,
  active: true,
  sendKey: null,
  reserved: 0,
  entitlementId: null,
  held: 0,
  spent: 0,
  runner: null,
} satisfies Partial<StoredMessage>;

/** Written out once: a statement is put together at every message, and these are most of its pieces. */
const agentColumns = sql.raw(
  Object.entries(getTableColumns(agent))
    .map(([name, column]) => `a."${column.name}" as "${name}"`)
    .join(', '),
);

function turnSql(
  config: Pick<Config, 'billing'>,
  { conversationId, whose, askable, counted, question, runner }: TurnRequest,
  questionId: string,
  answerId: string,
): SQL {
  const asked = isStored(question) ? question : undefined;
  const added = asked ? 1 : 2;
  const upTo = asked ? sql`${asked.sequence - 1}` : sql`opened.last_sequence`;
  const limit = creditLimit(config, sql`opened.organization_id`);
  const held = limit ? CREDITS_AN_ANSWER : 0;
  const isPaid = limit ? sql`exists (select from held)` : sql`true`;
  return sql`
    with opened as (
      select c.id, c.organization_id, c.agent_id, c.agent_version, c.kind, c.last_sequence, c.dry_run,
          coalesce(${'page' in question ? (question.page ?? null) : null}::text, c.page) as page from conversation c
       where c.id = ${conversationId} and c.deleted_at is null and c.answering is null
         and c.handling in ('bot', 'closed') and ${whose}
         and exists (select from agent a where a.id = c.agent_id and a.deleted_at is null and ${askable})
         ${asked || question.sendKey === null ? sql`` : sql`and not exists (select from message where organization_id = c.organization_id and conversation_id = c.id and send_key = ${question.sendKey})`}
       for update of c skip locked),
    ${counted ? countedSql(counted) : sql``}
    granted as (select opened.* from opened ${counted ? sql`, asker where asker.is_known or exists (select from allowed)` : sql``}),
    ${limit ? holdSql(limit) : sql``}
    taken as (
      update conversation set last_sequence = conversation.last_sequence + ${added}, answering = ${answerId}, handling = 'bot',
        updated_at = now(), page = granted.page, title = case when title = '' then ${asked ? '' : titleFrom(question.text)} else title end
      from granted where conversation.id = granted.id and ${isPaid}
      returning conversation.id, conversation.organization_id, conversation.last_sequence),
    leaf as (
      select m.id from message m where m.conversation_id = ${conversationId}
         and m.organization_id = (select organization_id from opened) and m.active order by m.sequence desc limit 1),
    made as (
      insert into message (id, organization_id, conversation_id, role, text, state, sequence, runner, parent_id, reserved,
          attachments, author_id, send_key)
      ${asked ? sql`` : questionSql(question, questionId)}
      select ${answerId}, organization_id, id, 'assistant', '', 'pending', last_sequence, ${runner}::bigint, ${questionId}::text,
          ${held}::int, '[]'::jsonb, null, null from taken
      returning id, sequence, created_at)
    select ${agentColumns}, opened.kind, exists (select from granted) as granted,
      (select json_build_object('sequence', sequence, 'createdAt', created_at) from made where id = ${answerId}) as made,
      (select id from leaf) as "parentId",
      ${readSql(conversationId, upTo)},
      opened.page, opened.dry_run as "dryRun", ${tried} as tried
    from opened join agent a on a.id = opened.agent_id`;
}

/** What making an answer needs to know, of a conversation `opened`: what was said, what there is to search and to call. */
export function readSql(conversationId: string, upTo: SQL): SQL {
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
function questionSql({ text, attachments, authorId, sendKey }: NewQuestion, id: string): SQL {
  return sql`select ${id}, organization_id, id, 'user', ${text}, 'complete', last_sequence - 1, null::bigint,
          (select id from leaf), 0, ${JSON.stringify(attachments)}::jsonb,
          (select case when kind = 'game' then ${authorId}::text end from opened), ${sendKey}::text from taken
        union all`;
}

/** Takes one of the messages of somebody who is not known. */
function countedSql({ key, limit, unless }: NonNullable<TurnRequest['counted']>): SQL {
  return sql`asker as (select ${unless} as is_known from opened),
    allowed as (${allowanceSql(key, limit, sql`from asker where not is_known`)}),`;
}

/** Holds credits where the month has any left. The row is read again when another request has just written it. */
function holdSql(limit: SQL): SQL {
  return sql`plan as (select ${limit} as credits from granted as opened),
    held as (
      insert into credit_usage (organization_id, month, reserved)
      select organization_id, ${monthOf(new Date())}, ${CREDITS_AN_ANSWER}::int from granted, plan where credits >= ${CREDITS_AN_ANSWER}
      on conflict (organization_id, month) do update set reserved = credit_usage.reserved + excluded.reserved
        where credit_usage.used + credit_usage.reserved + excluded.reserved <= (select credits from plan)
      returning 1),`;
}
