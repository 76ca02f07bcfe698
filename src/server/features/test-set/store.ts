import { and, asc, count, desc, eq, sql, type SQL } from 'drizzle-orm';
import type { OpenGate } from '../../../contract/version.ts';
import type { NewTestCase } from '../../../contract/test-set.ts';
import { TEST_RUNS_SHOWN } from '../../../contract/limits.ts';
import type * as z from 'zod';
import type { Agent } from '../../access/gate.ts';
import { agent as agents, testCase, testResult, testRun, testSet } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';

export type StoredSet = typeof testSet.$inferSelect;
export type StoredCase = typeof testCase.$inferSelect;
export type StoredRun = typeof testRun.$inferSelect;
export type StoredResult = typeof testResult.$inferSelect;
type Owner = Pick<Agent, 'id' | 'organizationId'>;
type SetKey = Pick<StoredSet, 'id' | 'organizationId'>;
export type RunKey = Pick<StoredRun, 'id' | 'organizationId'>;
export type WantedCase = z.output<typeof NewTestCase>;

export interface ListedSet extends StoredSet {
  caseCount: number;
  lastRun: StoredRun | null;
}

const ofAgent = ({ id, organizationId }: Owner): SQL | undefined =>
  and(eq(testSet.organizationId, organizationId), eq(testSet.agentId, id));

const ofSet = ({ id, organizationId }: SetKey): SQL | undefined =>
  and(eq(testRun.organizationId, organizationId), eq(testRun.testSetId, id));

const isRun = ({ id, organizationId }: RunKey): SQL | undefined =>
  and(eq(testRun.organizationId, organizationId), eq(testRun.id, id));

/** Oldest first, each with its number of questions and its newest run. */
export async function listSets(tx: Tx, agent: Owner): Promise<ListedSet[]> {
  const caseCount = tx.$count(
    testCase,
    and(eq(testCase.organizationId, agent.organizationId), eq(testCase.testSetId, testSet.id)),
  );
  const rows = await tx
    .select({ set: testSet, caseCount, lastRun: testRun })
    .from(testSet)
    .leftJoin(testRun, eq(testRun.id, newestRun))
    .where(ofAgent(agent))
    .orderBy(asc(testSet.createdAt), asc(testSet.id));
  return rows.map(({ set, ...rest }) => ({ ...set, ...rest }));
}

const newestRun = sql`(select r.id from test_run r where r.organization_id = ${testSet.organizationId}
  and r.test_set_id = ${testSet.id} order by r.created_at desc, r.id desc limit 1)`;

/** With `lock`, its cases do not change until this transaction ends. */
export async function findSet(
  tx: Tx,
  agent: Owner,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<StoredSet | undefined> {
  const query = tx
    .select()
    .from(testSet)
    .where(and(ofAgent(agent), eq(testSet.id, id)));
  const [found] = await (lock ? query.for('update') : query);
  return found;
}

/** The next caller to count this agent's sets waits until this transaction ends, so the count stays true. */
export async function countSets(tx: Tx, { organizationId, id }: Owner): Promise<number> {
  await tx
    .select({ id: agents.id })
    .from(agents)
    .where(and(eq(agents.organizationId, organizationId), eq(agents.id, id)))
    .for('no key update');
  const [found] = await tx.select({ count: count() }).from(testSet).where(ofAgent({ organizationId, id }));
  return found?.count ?? 0;
}

export async function insertSet(
  tx: Tx,
  { id: agentId, organizationId }: Owner,
  { name, isGate = false }: { name: string; isGate?: boolean },
): Promise<StoredSet> {
  const [made] = await tx
    .insert(testSet)
    .values({ id: newId('testSet'), organizationId, agentId, name, isGate })
    .returning();
  return made as StoredSet;
}

export async function updateSet(
  tx: Tx,
  { id, organizationId }: SetKey,
  changes: { name?: string | undefined; isGate?: boolean | undefined },
): Promise<void> {
  await tx
    .update(testSet)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(and(eq(testSet.organizationId, organizationId), eq(testSet.id, id)));
}

export async function deleteSet(tx: Tx, { id, organizationId }: SetKey): Promise<void> {
  await tx.delete(testSet).where(and(eq(testSet.organizationId, organizationId), eq(testSet.id, id)));
}

export async function listCases(tx: Tx, { id, organizationId }: SetKey): Promise<StoredCase[]> {
  return tx
    .select()
    .from(testCase)
    .where(and(eq(testCase.organizationId, organizationId), eq(testCase.testSetId, id)))
    .orderBy(asc(testCase.position));
}

/** Replaces all cases; IDs that belong to the set are kept. The set must be locked. */
export async function replaceCases(tx: Tx, set: SetKey, wanted: WantedCase[]): Promise<void> {
  const known = new Set((await listCases(tx, set)).map(({ id }) => id));
  await tx
    .delete(testCase)
    .where(and(eq(testCase.organizationId, set.organizationId), eq(testCase.testSetId, set.id)));
  if (wanted.length > 0)
    await tx.insert(testCase).values(
      wanted.map(({ id, question, expectations }, position) => ({
        id: id !== undefined && known.delete(id) ? id : newId('testCase'),
        organizationId: set.organizationId,
        testSetId: set.id,
        position,
        question,
        expectations,
      })),
    );
  await tx
    .update(testSet)
    .set({ revision: sql`${testSet.revision} + 1`, updatedAt: sql`now()` })
    .where(and(eq(testSet.organizationId, set.organizationId), eq(testSet.id, set.id)));
}

/** The sets that are required and that this version has not passed since their questions last changed. */
export async function listOpenGates(tx: Tx, agent: Owner, version: number): Promise<OpenGate[]> {
  const rows = await tx
    .select({
      testSetId: testSet.id,
      name: testSet.name,
      state: testRun.state,
      passed: testRun.passed,
      total: testRun.total,
    })
    .from(testSet)
    .leftJoin(
      testRun,
      sql`${testRun.id} = (select r.id from test_run r where r.organization_id = ${testSet.organizationId}
        and r.test_set_id = ${testSet.id} and r.version = ${version} and r.revision = ${testSet.revision}
        order by r.created_at desc, r.id desc limit 1)`,
    )
    .where(and(ofAgent(agent), eq(testSet.isGate, true)))
    .orderBy(asc(testSet.createdAt), asc(testSet.id));
  return rows.flatMap(({ testSetId, name, state, passed, total }) => {
    if (state === 'done' && passed === total) return [];
    const why = state === null || state === 'stopped' ? 'not-run' : state === 'running' ? state : 'failed';
    return [{ testSetId, name, why } as const];
  });
}

export async function insertRun(
  tx: Tx,
  set: StoredSet,
  { version, total, startedBy }: Pick<StoredRun, 'version' | 'total' | 'startedBy'>,
): Promise<StoredRun> {
  const { organizationId, agentId, id: testSetId, revision } = set;
  const [made] = await tx
    .insert(testRun)
    .values({
      id: newId('testRun'),
      organizationId,
      agentId,
      testSetId,
      revision,
      version,
      total,
      startedBy,
    })
    .returning();
  return made as StoredRun;
}

export async function hasRunUnderWay(tx: Tx, set: SetKey): Promise<boolean> {
  const [found] = await tx
    .select({ id: testRun.id })
    .from(testRun)
    .where(and(ofSet(set), eq(testRun.state, 'running')))
    .limit(1);
  return found !== undefined;
}

export async function listRuns(tx: Tx, set: SetKey): Promise<StoredRun[]> {
  return tx
    .select()
    .from(testRun)
    .where(ofSet(set))
    .orderBy(desc(testRun.createdAt), desc(testRun.id))
    .limit(TEST_RUNS_SHOWN);
}

export async function findRun(tx: Tx, run: RunKey): Promise<StoredRun | undefined> {
  const [found] = await tx.select().from(testRun).where(isRun(run));
  return found;
}

export async function listResults(tx: Tx, { id, organizationId }: RunKey): Promise<StoredResult[]> {
  return tx
    .select()
    .from(testResult)
    .where(and(eq(testResult.organizationId, organizationId), eq(testResult.testRunId, id)))
    .orderBy(asc(testResult.position));
}

/** Counts a result once, however often it is reported: an interrupted run continues where it was. */
export async function insertResult(tx: Tx, result: StoredResult): Promise<void> {
  const made = await tx
    .insert(testResult)
    .values(result)
    .onConflictDoNothing()
    .returning({ id: testResult.testCaseId });
  if (made.length === 0) return;
  const { testRunId: id, organizationId, passed, credits } = result;
  await tx
    .update(testRun)
    .set({
      passed: sql`${testRun.passed} + ${passed ? 1 : 0}`,
      failed: sql`${testRun.failed} + ${passed ? 0 : 1}`,
      credits: sql`${testRun.credits} + ${credits}`,
    })
    .where(isRun({ id, organizationId }));
}

/** Ends a run in progress; one that has ended stays as it is. */
export async function endRun(tx: Tx, run: RunKey, state: 'done' | 'stopped'): Promise<void> {
  await tx
    .update(testRun)
    .set({ state, finishedAt: sql`now()` })
    .where(and(isRun(run), eq(testRun.state, 'running')));
}
