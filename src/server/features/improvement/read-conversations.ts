import type { Database } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { termsOfQuestions } from '../knowledge/search.ts';
import { isQuestion, whyUnanswered } from './asks.ts';
import type { AgentKey } from './keys.ts';
import * as store from './reading-store.ts';
import type { QuestionRow, Said } from './reading-store.ts';

/** Conversations read together. */
const CONVERSATIONS_A_SLICE = 200;

type Reading = Pick<Deps, 'db' | 'pace'>;

/**
 * Records the questions asked in changed conversations, and their outcomes. Repeating it, or running it in several
 * processes at once, writes the same; after a kill it continues after the last completed slice.
 */
export async function readConversations({ db, pace }: Reading, key: AgentKey): Promise<void> {
  const read = (ids: string[]) => pace.step(() => readSlice(db, key, ids));
  const { seenUntil, now } = await db.in(key, (tx) => store.findReading(tx, key));
  if (seenUntil) {
    const touched = await db.in(key, (tx) => store.listTouched(tx, key, seenUntil));
    for (let at = 0; at < touched.length; at += CONVERSATIONS_A_SLICE)
      await read(touched.slice(at, at + CONVERSATIONS_A_SLICE));
  }
  let after: store.Place | undefined;
  do {
    const page = { since: seenUntil, after, most: CONVERSATIONS_A_SLICE };
    const changed = await db.in(key, (tx) => store.listChanged(tx, key, page));
    after = changed.at(-1);
    if (!after) break;
    await read(changed.map(({ id }) => id));
    const until = after.updatedAt;
    await db.in(key, (tx) => store.setSeen(tx, key, until));
    // A conversation still in progress keeps moving to the end of the order: it is read once.
  } while (after.updatedAt <= now);
  await db.in(key, (tx) => store.setSeen(tx, key, now));
}

async function readSlice(db: Database, key: AgentKey, conversationIds: string[]): Promise<void> {
  const said = await db.in(key, (tx) => store.listSaid(tx, key, conversationIds));
  // No connection is held during the computation.
  const made = await questionsOf(said.filter(({ isKnown }) => !isKnown));
  const known = said.filter(({ isKnown }) => isKnown);
  await db.in(key, async (tx) => {
    const changes = [
      await store.deleteOthers(tx, key, conversationIds),
      await store.insertQuestions(tx, key, made),
      await store.updateOutcomes(tx, key, known.map(outcomeOf)),
    ];
    if (changes.some(Boolean)) await store.setDue(tx, key);
  });
}

async function questionsOf(said: Said[]): Promise<QuestionRow[]> {
  if (said.length === 0) return [];
  const read = await termsOfQuestions(said.map(({ text, before }) => ({ text, before })));
  return said.flatMap((each, at) => {
    const { words, ...terms } = read[at] ?? { words: 0, language: '', terms: {} };
    if (!isQuestion(each.text, words, each.before !== null)) return [];
    const { conversationId, text, askedAt } = each;
    return [{ ...outcomeOf(each), conversationId, text, askedAt, ...terms }];
  });
}

function outcomeOf(said: Said): store.Outcome {
  const { messageId, answerId, isSettled, support } = said;
  return { messageId, answerId, isSettled, why: isSettled ? whyUnanswered(said) : null, confidence: support };
}
