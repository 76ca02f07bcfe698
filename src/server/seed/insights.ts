import type pg from 'pg';
import type { Deps } from '../deps.ts';
import { newAgent } from '../features/chatbot/new-agent.ts';
import { findByHandle, insertAgent } from '../features/chatbot/store.ts';
import { readLanguages } from '../features/insight/languages.ts';
import { rollUpAgent } from '../features/insight/rollup.ts';
import { seedQuestions } from './questions.ts';
import { giveText, seedDemo } from './seed.ts';

/** The public handle of the agent with a history. */
const INSIGHTS_DEMO_HANDLE = 'insights-demo';

const MESSAGES_A_CONVERSATION = 7;
const MESSAGES_A_PERSON = 40;
const CONVERSATIONS_AT_ONCE = 20_000;
const topics = [
  'Prices',
  'Opening hours',
  'Tickets',
  'Dogs',
  'Groups',
  'Getting here',
  'Refunds',
  'Children',
];

/** A value from 0 to 1 that is the same in each run for the same row and purpose. */
const chance = (row: string, purpose: number) =>
  `((hashint8extended((${row})::bigint, ${purpose}) & 2147483647) / 2147483648.0)`;

/** An ID in our format that sorts by time. */
const idOf = (prefix: string, moment: string, number: string) =>
  `'${prefix}_0' || lpad((extract(epoch from ${moment}) * 1000)::bigint::text, 13, '0') || lpad((${number})::text, 12, '0')`;

/** Questions in several languages; most people ask in the first. */
const asked = `(array['What about number ', 'What about number ', 'What about number ', 'Was gibt es über die Nummer ',
  'Qu''est-ce qu''il y a avec le numéro ', '¿Qué hay de nuevo con el número ', 'Che cosa si sa del numero '])`;

/** More people over the year, mostly in daytime and on working days. */
const begunAt = `date_trunc('day', now()) - make_interval(days => floor(364 * (1 - sqrt(${chance('i', 1)})) + 0.5)::int)
  - make_interval(days => case when ${chance('i', 2)} < 0.2 then 1 else 0 end)
  + make_interval(secs => 3600 * (6 + 8 * (${chance('i', 3)} + ${chance('i', 4)})))`;

interface Place {
  organizationId: string;
  agentId: string;
  memberId: string;
}

/** Gives the demo organization an agent with a year of conversations; an existing one is left alone. */
export async function seedInsights(
  deps: Deps,
  messages: number,
  say: (line: string) => void,
): Promise<Place | undefined> {
  const seeded = await seedDemo(deps, { force: true });
  if (!seeded) return undefined;
  await seeded.guides;
  const { organizationId, ownerId: memberId } = seeded.demo;
  const known = await deps.db.in({ organizationId }, (tx) =>
    findByHandle(tx, organizationId, INSIGHTS_DEMO_HANDLE),
  );
  if (known) {
    say(`The agent ${INSIGHTS_DEMO_HANDLE} already exists.`);
    return { organizationId, agentId: known.id, memberId };
  }
  const agent = { ...newAgent(organizationId, 'Insights demo'), handle: INSIGHTS_DEMO_HANDLE };
  const place = { organizationId, agentId: agent.id, memberId };
  await deps.db.in({ organizationId }, (tx) => insertAgent(tx, agent, memberId));
  for (const topic of topics)
    await giveText(
      deps,
      { organizationId, ownerId: memberId, agentId: agent.id },
      topic,
      `All about ${topic}.`,
    );
  await timed(say, 'people', () => insertPeople(deps.db.owner, place, messages));
  await timed(say, 'conversations', () => insertConversations(deps.db.owner, place, messages));
  await timed(say, 'messages', () => insertMessages(deps.db.owner, place));
  await timed(say, 'ratings', () => insertRatings(deps.db.owner, place));
  await timed(say, 'handovers', () => insertHandovers(deps.db.owner, place));
  await timed(say, 'languages', () => hear(deps, place));
  await seedQuestions(deps.db.owner, place);
  await timed(say, 'sums', () => sumUp(deps, place));
  return place;
}

async function timed(say: (line: string) => void, what: string, work: () => Promise<number>): Promise<void> {
  const begun = performance.now();
  const count = await work();
  say(`${what}: ${count} in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
}

async function run(owner: pg.Pool, sql: string, values: unknown[]): Promise<number> {
  return (await owner.query(sql, values)).rowCount ?? 0;
}

const insertPeople = (owner: pg.Pool, { agentId }: Place, messages: number): Promise<number> =>
  run(
    owner,
    `insert into "user" (id, name, profile_photo, is_anonymous, registered_at, created_at)
     select ${idOf('usr', 'now()', 'i')}, case when i % 5 < 3 then 'Guest' else 'Person ' || i end, '/images/guest.svg',
         i % 5 < 3, case when i % 5 >= 3 then now() end, now() - interval '1 year'
       from generate_series(1, greatest(1, $2::bigint / ${MESSAGES_A_PERSON})) i where $1 <> ''`,
    [agentId, messages],
  );

const insertConversations = (owner: pg.Pool, place: Place, messages: number): Promise<number> =>
  run(
    owner,
    `with people as (select id, row_number() over (order by id) as place, count(*) over () as all from "user"
       where id in (select id from "user" where created_at < now() - interval '364 days' order by id desc
         limit greatest(1, $3::bigint / ${MESSAGES_A_PERSON}))),
     begun as (
       select i, least(${begunAt}, now() - interval '10 minutes') as at, ${chance('i', 5)} as way, ${chance('i', 6)} as land,
           1 + floor(${chance('i', 7)}^2 * (select count(*) from people))::bigint as who
         from generate_series(1, greatest(1, $3::bigint / ${MESSAGES_A_CONVERSATION})) i)
     insert into conversation (id, organization_id, agent_id, user_id, title, page, channel, country, last_sequence, created_at, updated_at)
     select ${idOf('cnv', 'at', 'i')}, $1, $2, people.id, 'Question ' || i, case when way < 0.3 then 'https://example.com/' end,
         case when way >= 0.8 then 'telegram' when way >= 0.7 then 'whatsapp' end,
         case when way < 0.7 then (array['US','US','DE','DE','FR','GB','IN','BR','JP','ES','IT','NL','PL','SE','CA'])[1 + floor(land * 15)::int] end,
         2 * (1 + floor(${chance('i', 8)} * 6)::int), at, at + interval '9 minutes'
       from begun join people on people.place = who`,
    [place.organizationId, place.agentId, messages],
  );

/** Questions and answers alternate, a minute and a few seconds apart. */
const pairs = `
  select c.id as conversation_id, c.created_at, s, right(c.id, 12)::bigint * 20 + s as n,
      'msg_0' || substr(c.id, 6, 13) as stem
    from conversation c cross join lateral generate_series(1, c.last_sequence) s
   where c.organization_id = $1 and c.agent_id = $2 and right(c.id, 12)::bigint between $3 and $4`;

const receipt = `jsonb_strip_nulls(jsonb_build_object('model', 'demo', 'inputTokens', 200 + floor(${chance('n', 11)} * 1800)::int,
  'outputTokens', 20 + floor(${chance('n', 12)} * 400)::int, 'firstTokenMs', 150 + floor(2000 * ${chance('n', 13)}^4)::int,
  'totalMs', 600 + floor(12000 * ${chance('n', 14)}^4)::int, 'credits', case when ${chance('n', 15)} < 0.12 then 0 else 1 end,
  'costNanoUsd', case when ${chance('n', 18)} < 0.9 then 100000 + floor(${chance('n', 11)} * 900000)::bigint end,
  'refused', case when ${chance('n', 15)} < 0.12 then true end)) || '{"passages": []}'`;

const citations = `jsonb_build_array(jsonb_build_object('number', 1, 'chunkId', 'chk_' || repeat('0', 26), 'sourceId', 'src_' || repeat('0', 26),
  'knowledgeId', ($5::text[])[1 + floor(${chance('n', 16)}^2 * cardinality($5::text[]))::int], 'title', 'Demo', 'url', null,
  'headingPath', '[]'::jsonb, 'page', null, 'offset', null, 'text', 'Demo', 'card', null))`;

async function insertMessages(owner: pg.Pool, { organizationId, agentId }: Place): Promise<number> {
  const { rows } = await owner.query<{ conversations: string; items: string[] }>(
    `select (select count(*) from conversation where organization_id = $1 and agent_id = $2) as conversations,
       (select array_agg(id order by id) from knowledge where organization_id = $1 and agent_id = $2) as items`,
    [organizationId, agentId],
  );
  let count = 0;
  for (let from = 1; from <= Number(rows[0]?.conversations); from += CONVERSATIONS_AT_ONCE) {
    const until = from + CONVERSATIONS_AT_ONCE - 1;
    count += await run(
      owner,
      `insert into message (id, organization_id, conversation_id, role, text, state, sequence, parent_id, citations, receipt,
           created_at, updated_at)
       select stem || lpad(n::text, 12, '0'), $1, conversation_id, case when s % 2 = 1 then 'user' else 'assistant' end,
           case when s % 2 = 1 then ${asked}[1 + floor(${chance('(n / 20)', 19)} * 7)::int] || n || '?' else 'About that, this is what is known.' end,
           case when s % 2 = 0 and ${chance('n', 17)} < 0.01 then 'failed' else 'complete' end, s,
           case when s > 1 then stem || lpad((n - 1)::text, 12, '0') end,
           case when s % 2 = 0 and ${chance('n', 15)} >= 0.12 and ${chance('n', 17)} >= 0.01 then ${citations} else '[]' end,
           case when s % 2 = 0 and ${chance('n', 17)} >= 0.01 then ${receipt} end,
           created_at + s * interval '40 seconds', created_at + s * interval '40 seconds'
         from (${pairs}) p`,
      [organizationId, agentId, from, until, rows[0]?.items],
    );
  }
  return count;
}

const insertRatings = (owner: pg.Pool, { organizationId, agentId }: Place): Promise<number> =>
  run(
    owner,
    `insert into message_feedback (message_id, user_id, organization_id, rating, updated_at)
     select m.id, c.user_id, $1, case when ${chance('right(m.id, 12)::bigint', 21)} < 0.75 then 'up' else 'down' end, m.created_at
       from conversation c join message m on m.conversation_id = c.id and m.organization_id = $1
      where c.organization_id = $1 and c.agent_id = $2 and m.role = 'assistant' and m.state = 'complete'
        and ${chance('right(m.id, 12)::bigint', 22)} < 0.06`,
    [organizationId, agentId],
  );

const insertHandovers = (owner: pg.Pool, { organizationId, agentId, memberId }: Place): Promise<number> =>
  run(
    owner,
    `insert into handover (id, organization_id, conversation_id, by, asked_at, taken_by, taken_at, ended_at)
     select 'hnd_' || substr(c.id, 5), $1, c.id, 'end-user', c.updated_at, $3,
         c.updated_at + make_interval(secs => 20 + 900 * ${chance('right(c.id, 12)::bigint', 32)}), c.updated_at + interval '1 hour'
       from conversation c where c.organization_id = $1 and c.agent_id = $2 and ${chance('right(c.id, 12)::bigint', 31)} < 0.02`,
    [organizationId, agentId, memberId],
  );

async function hear({ db, pace }: Deps, { organizationId, agentId }: Place): Promise<number> {
  await db.owner.query('analyze conversation, message');
  // A sweep may have run before the data was there.
  await run(db.owner, `delete from insight_rollup where agent_id = $1`, [agentId]);
  await readLanguages({ db, pace }, { organizationId, agentId });
  return run(db.owner, `select 1 from conversation where agent_id = $1 and language is not null`, [agentId]);
}

/** Everything is counted from the first conversation on, so the changes noted by triggers aren't needed. */
async function sumUp({ db, pace }: Deps, { organizationId, agentId }: Place): Promise<number> {
  await run(db.owner, `delete from insight_change where organization_id = $1 and agent_id = $2`, [
    organizationId,
    agentId,
  ]);
  await db.owner.query('analyze conversation, message, message_feedback, handover, "user"');
  await run(db.owner, `update insight_rollup set counted_until = 'epoch' where agent_id = $1`, [agentId]);
  await rollUpAgent({ db, pace }, { organizationId, agentId });
  await db.owner.query('vacuum analyze insight_conversation, insight_hour, insight_share, insight_person');
  const { rows } = await db.owner.query<{ hours: number }>(
    `select count(*)::int as hours from insight_hour where organization_id = $1 and agent_id = $2`,
    [organizationId, agentId],
  );
  return rows[0]?.hours ?? 0;
}
