import { cutText } from '../../../contract/cut-text.ts';
import { MESSAGE_MAX_CHARACTERS, TEST_CASES_MAX, TEST_SETS_AN_AGENT_MAX } from '../../../contract/limits.ts';
import type { Agent } from '../../access/gate.ts';
import type { Tx } from '../../db/scope.ts';
import * as tests from '../test-set/store.ts';

/** The set that tests approved answers, unless someone has renamed it. */
const SET_NAME = 'Approved answers';
const TITLE_MAX_CHARACTERS = 120;

/** Tests that the question is answered from its pair; returns the case's id. Null if there is no room for one. */
export async function keepTestCase(
  tx: Tx,
  agent: Agent,
  { testCaseId, question }: { testCaseId: string | null; question: string },
): Promise<string | null> {
  const set = await findSet(tx, agent);
  if (!set) return null;
  const cases = await tests.listCases(tx, set);
  const isThere = cases.some(({ id }) => id === testCaseId);
  if (!isThere && cases.length >= TEST_CASES_MAX) return null;
  const wanted: tests.WantedCase = {
    question: cutText(question, MESSAGE_MAX_CHARACTERS),
    expectations: [{ kind: 'cites', text: cutText(question, TITLE_MAX_CHARACTERS).trim() }],
  };
  await tests.replaceCases(
    tx,
    set,
    isThere
      ? cases.map((each) => (each.id === testCaseId ? { ...wanted, id: each.id } : each))
      : [...cases, wanted],
  );
  return isThere ? testCaseId : ((await tests.listCases(tx, set)).at(-1)?.id ?? null);
}

async function findSet(tx: Tx, agent: Agent): Promise<tests.StoredSet | undefined> {
  const sets = await tests.listSets(tx, agent);
  const named = sets.find(({ name }) => name === SET_NAME);
  if (named) return tests.findSet(tx, agent, named.id, { lock: true });
  return sets.length < TEST_SETS_AN_AGENT_MAX ? tests.insertSet(tx, agent, { name: SET_NAME }) : undefined;
}
