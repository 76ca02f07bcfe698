import type pg from 'pg';
import { DetailsConfig, PaymentConfig } from '../../contract/product.ts';
import { newId } from '../id.ts';

/** Findable content for the demo conversations: questions with their outcomes, topics, and purchases. */

interface Place {
  organizationId: string;
  agentId: string;
}

const TOPICS = 40;

/** A value from 0 to 1 that is the same in each run for the same message. */
const chance = (purpose: number) =>
  `((hashint8extended(right(m.id, 12)::bigint, ${purpose}) & 2147483647) / 2147483648.0)`;

export async function seedQuestions(owner: pg.Pool, place: Place): Promise<void> {
  const topics = Array.from({ length: TOPICS }, () => newId('topic'));
  await insertTopics(owner, place, topics);
  await insertQuestions(owner, place, topics);
  await insertPurchases(owner, place);
  await owner.query('analyze question, topic, purchase, entitlement, message');
}

async function insertTopics(
  owner: pg.Pool,
  { organizationId, agentId }: Place,
  topics: string[],
): Promise<void> {
  await owner.query(
    `insert into topic (id, organization_id, agent_id, name)
     select id, $1, $2, 'Topic ' || place from unnest($3::text[]) with ordinality as t(id, place)`,
    [organizationId, agentId, topics],
  );
}

/** The first topics are asked about most, the last ones hardly ever. A sweep may have read some questions already. */
async function insertQuestions(
  owner: pg.Pool,
  { organizationId, agentId }: Place,
  topics: string[],
): Promise<void> {
  await owner.query(
    `insert into question (message_id, organization_id, agent_id, conversation_id, answer_id, text, terms, language, asked_at,
         is_settled, why, confidence, is_grouped, topic_id)
     select m.id, $1, $2, m.conversation_id, a.id, m.text, '{}', coalesce(c.language, ''), m.created_at, true,
         case when a.receipt ->> 'refused' = 'true' then 'refused' end, ${chance(41)}, true,
         ($3::text[])[1 + floor(${chance(42)} ^ 4 * ${TOPICS})::int]
       from conversation c join message m on m.conversation_id = c.id and m.organization_id = $1 and m.role = 'user'
         join message a on a.parent_id = m.id and a.organization_id = $1 and a.role = 'assistant'
      where c.organization_id = $1 and c.agent_id = $2
     on conflict (message_id) do update set answer_id = excluded.answer_id, is_settled = true, why = excluded.why,
       confidence = excluded.confidence, is_grouped = true, topic_id = excluded.topic_id`,
    [organizationId, agentId, topics],
  );
  await owner.query(
    `insert into question_reading (agent_id, organization_id, seen_until) values ($2, $1, now())
     on conflict (agent_id) do update set seen_until = now(), is_due = false`,
    [organizationId, agentId],
  );
}

/** One product that one in a hundred people has bought, and one that a single person has. */
async function insertPurchases(owner: pg.Pool, { organizationId, agentId }: Place): Promise<void> {
  const free = JSON.stringify(PaymentConfig.parse({ kind: 'free', credits: 100 }));
  for (const [name, share] of [
    ['Demo plan', 0.01],
    ['Rare plan', 0],
  ] as const) {
    const productId = newId('product');
    await owner.query(
      `insert into product (id, organization_id, agent_id, state, payment_config, details_config)
       values ($1, $2, $3, 'archived', $4, $5)`,
      [productId, organizationId, agentId, free, JSON.stringify(DetailsConfig.parse({ name }))],
    );
    await owner.query(
      `with buyers as (select user_id, row_number() over (order by user_id) as place from
           (select distinct user_id from conversation where organization_id = $2 and agent_id = $3) each),
         bought as (insert into purchase (id, organization_id, agent_id, product_id, user_id, state, terms, name)
           select 'pur_0' || lpad(place::text, 12, '0') || right($1, 13), $2, $3, $1, user_id, 'paid', $4, $5 from buyers
            where place = 1 or hashtext(user_id) % 1000 between 0 and $6::float8 * 1000 - 1 returning id, user_id),
         given as (insert into entitlement (id, organization_id, agent_id, purchase_id, user_id, kind, state, is_unlimited)
           select 'ent_' || substr(id, 5), $2, $3, id, user_id, 'free', 'active', true from bought returning id, user_id)
       update message m set entitlement_id = given.id from given, conversation c
        where c.organization_id = $2 and c.agent_id = $3 and c.user_id = given.user_id and m.conversation_id = c.id
          and m.organization_id = $2 and m.role = 'assistant'`,
      [productId, organizationId, agentId, free, name, share],
    );
  }
}
