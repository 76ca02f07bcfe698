import type { Week } from '../../../contract/chatbot.ts';
import type { InsightSums } from '../../../contract/insight.ts';
import type { Agent } from '../../access/gate.ts';
import type { Tx } from '../../db/scope.ts';
import { catchUp, readRange, readSums } from '../insight/store.ts';

/** From the insight sums, so that no two pages show different numbers. */
export async function readWeeks(
  tx: Tx,
  { organizationId, id }: Agent,
  timeZone: string,
): Promise<{ week: Week; before: Week }> {
  await catchUp(tx, organizationId, [id]);
  const range = await readRange(tx, '7d', timeZone);
  const { together } = await readSums(tx, { organizationId, agentIds: [id] }, range);
  return { week: weekOf(together.now), before: weekOf(together.before) };
}

const weekOf = ({
  conversations,
  people,
  messages,
  answered,
  unanswered,
  failed,
  answerRate,
  ratedUp,
  ratedDown,
}: InsightSums): Week => ({
  conversations,
  people,
  questions: messages,
  answered,
  unanswered,
  broken: failed,
  answerRate,
  ratedUp,
  ratedDown,
});
