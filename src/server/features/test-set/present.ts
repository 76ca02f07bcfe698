import type { TestCase, TestResult, TestRun, TestSet } from '../../../contract/test-set.ts';
import type { ListedSet, StoredCase, StoredResult, StoredRun } from './store.ts';

export function testSetOf(set: ListedSet): TestSet {
  const { id, name, isGate, caseCount, lastRun, revision, createdAt, updatedAt } = set;
  return {
    id,
    name,
    isGate,
    caseCount,
    lastRun: lastRun && runOf(lastRun, revision),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export function caseOf({ id, question, expectations }: StoredCase): TestCase {
  return { id, question, expectations };
}

/** `revision`: the set's current one. */
export function runOf(run: StoredRun, revision: number): TestRun {
  const { id, testSetId, version, state, total, passed, failed, credits, createdAt, finishedAt } = run;
  return {
    id,
    testSetId,
    version,
    state,
    total,
    passed,
    failed,
    credits,
    isCurrent: run.revision === revision,
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}

export function resultOf(result: StoredResult): TestResult {
  const { organizationId: _, testRunId: __, position: ___, ...shown } = result;
  return shown;
}
