import { sql, type SQL } from 'drizzle-orm';
import type { Tx } from '../../db/scope.ts';

/** What was learned from questions that are to be erased. Runs before that: they are needed to find it. */

/** A shorter word of theirs may be in a name by coincidence. */
const WORD_MIN_CHARACTERS = 4;

const inText = (word: SQL, text: SQL) => sql`position(lower(${word}) in lower(${text})) > 0`;

/** For topics `t`: what others ask in them. */
const byOthers = sql`select from question q where q.organization_id = t.organization_id and q.topic_id = t.id
  and not exists (select from erased_question e where e.message_id = q.message_id)`;

/**
 * Topic names lose words that occur in these questions and in none that stays with the topic. The rest of a name stays
 * until the topic is named anew; a topic left without a name is deleted, as is one nobody else asks about. Names given
 * by members stay, and clusters only contain words of their questions and of members. Grouping or naming in progress
 * starts over.
 */
export async function forgetAsked(tx: Tx, which: SQL): Promise<void> {
  await tx.execute(sql`create temp table erased_question on commit drop as
    select q.message_id, q.organization_id, q.agent_id, q.topic_id, q.cluster_id, q.text from question q where ${which}`);
  // First: a grouping process waits for this to end, and then finds that what it has read no longer exists.
  await tx.execute(sql`update question_reading r set revision = r.revision + 1, is_due = true where exists (
    select from erased_question e where e.agent_id = r.agent_id and e.organization_id = r.organization_id)`);
  await tx.execute(sql`
    with word as (
      select t.id, t.organization_id, w.word, w.at,
          (exists (select from erased_question e where e.agent_id = t.agent_id and e.organization_id = t.organization_id
                     and ${inText(sql`w.word`, sql`e.text`)})
            or exists (select from erased_question e cross join regexp_split_to_table(e.text, '[^[:alnum:]]+') theirs
                        where e.topic_id = t.id and e.organization_id = t.organization_id
                          and length(theirs) >= ${WORD_MIN_CHARACTERS}::int and ${inText(sql`theirs`, sql`w.word`)}))
            and not exists (${byOthers} and ${inText(sql`w.word`, sql`q.text`)}) as goes
        from topic t cross join regexp_split_to_table(t.name, '[[:space:],;:]+') with ordinality w(word, at)
       where t.named <> 'member' and w.word <> '' and exists (
         select from erased_question e where e.agent_id = t.agent_id and e.organization_id = t.organization_id)),
    left_over as (
      select id, organization_id, coalesce(string_agg(word, ', ' order by at) filter (where not goes), '') as name
        from word group by id, organization_id having bool_or(goes))
    update topic t set name = l.name, named = 'words' from left_over l where l.id = t.id and l.organization_id = t.organization_id`);
  await tx.execute(sql`
    delete from topic t where t.named <> 'member' and (t.name = '' or (not t.frozen and not exists (${byOthers})))
       and exists (select from erased_question e where e.agent_id = t.agent_id and e.organization_id = t.organization_id)`);
  await tx.execute(sql`
    delete from question_cluster k using erased_question gone
     where gone.cluster_id = k.id and gone.organization_id = k.organization_id and k.state = 'open' and not exists (
       select from question q where q.organization_id = k.organization_id and q.cluster_id = k.id
          and not exists (select from erased_question e where e.message_id = q.message_id))`);
}
