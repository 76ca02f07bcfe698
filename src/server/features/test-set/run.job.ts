import { TEST_QUESTIONS_AT_ONCE } from '../../../contract/limits.ts';
import type { MessageState } from '../../../contract/chat.ts';
import type { CitedSource, Failure } from '../../../contract/test-set.ts';
import { mayGoOn } from '../../access/begun.ts';
import { AppError } from '../../app-error.ts';
import type { Receipt } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import type { JobData } from '../../jobs/jobs.ts';
import { limitConcurrency } from '../../load/concurrency-limit.ts';
import { judge, type Judged } from './judge.ts';
import * as store from './store.ts';
import type { StoredCase, StoredRun } from './store.ts';

/** What the chat needs. */
interface Question {
  organizationId: string;
  agentId: string;
  version: number;
  question: string;
  userId: string;
}

interface Tried {
  text: string;
  state: MessageState;
  error: string | null;
  citations: CitedSource[];
  receipt: Pick<Receipt, 'totalMs' | 'credits' | 'model'> | null;
  isRefusal: boolean;
  calls: Judged['calls'];
}

type Ask = (question: Question, signal: AbortSignal) => Promise<Tried>;

/**
 * Asks the questions of a run that have no result yet, a few at a time, and stores each result as it arrives: after a
 * kill another process continues from there. A run stops if its questions change meanwhile, or if the person it runs
 * for may no longer ask them.
 */
export function runTests(deps: Deps, ask: Ask) {
  return async (
    { organizationId, testRunId: id }: JobData['test.run'],
    signal: AbortSignal,
  ): Promise<void> => {
    const run = { id, organizationId };
    const found = await deps.db.in({ organizationId }, (tx) => findOpen(tx, run));
    if (!found) return;
    const inTurn = limitConcurrency(TEST_QUESTIONS_AT_ONCE);
    const asked = await Promise.allSettled(
      found.cases.map((each) => inTurn(() => askOne(deps, ask, found.run, each, signal))),
    );
    // Only when none is in progress any more: a retry asks those without a result.
    const failed = asked.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
    if (signal.aborted) throw new Error('The process is shutting down.');
    await deps.db.in({ organizationId }, (tx) => store.endRun(tx, run, 'done'));
  };
}

/** For a run that could not be completed. */
export function giveUpTests({ db }: Deps) {
  return ({ organizationId, testRunId: id }: JobData['test.run']): Promise<void> =>
    db.in({ organizationId }, (tx) => store.endRun(tx, { id, organizationId }, 'stopped'));
}

async function findOpen(tx: Tx, key: store.RunKey) {
  const run = await findWanted(tx, key);
  if (!run) return undefined;
  const set = { id: run.testSetId, organizationId: run.organizationId };
  const done = new Set((await store.listResults(tx, key)).map(({ testCaseId }) => testCaseId));
  return { run, cases: (await store.listCases(tx, set)).filter(({ id }) => !done.has(id)) };
}

/** The run, if it should continue; otherwise ends it. */
async function findWanted(tx: Tx, key: store.RunKey): Promise<StoredRun | undefined> {
  const run = await store.findRun(tx, key);
  if (run?.state !== 'running') return undefined;
  const { agentId, organizationId, startedBy } = run;
  const set = await store.findSet(tx, { id: agentId, organizationId }, run.testSetId);
  const begun = { organizationId, by: startedBy, permission: 'agent.write', agentId } as const;
  if (set?.revision === run.revision && (await mayGoOn(tx, begun))) return run;
  await store.endRun(tx, key, 'stopped');
  return undefined;
}

async function askOne(
  { db, log }: Deps,
  ask: Ask,
  { id: testRunId, organizationId, agentId, version, startedBy: userId }: StoredRun,
  { id: testCaseId, position, question, expectations }: StoredCase,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const wanted = await db.in({ organizationId }, (tx) => findWanted(tx, { id: testRunId, organizationId }));
  if (!wanted) return;
  const tried = await ask({ organizationId, agentId, version, question, userId }, signal).catch(
    (error: unknown): Unasked => {
      if (!(error instanceof AppError)) log.warn({ err: error, testRunId }, 'a question could not be asked');
      return { reason: error instanceof AppError ? error.message : 'The question could not be asked.' };
    },
  );
  if (signal.aborted) return;
  const result = { testRunId, testCaseId, organizationId, position, question, expectations };
  await db.in({ organizationId }, (tx) =>
    store.insertResult(tx, { ...result, ...outcomeOf(tried, expectations) }),
  );
}

interface Unasked {
  reason: string;
}

function outcomeOf(tried: Tried | Unasked, expectations: StoredCase['expectations']) {
  if ('reason' in tried) return { ...nothing, failures: [noAnswer(tried.reason)] };
  const { text, citations, receipt, state, error, isRefusal, calls } = tried;
  const answer = {
    text,
    cited: citations.map(({ title, url }) => ({ title, url })),
    isRefusal,
    seconds: (receipt?.totalMs ?? 0) / 1000,
    credits: receipt?.credits ?? 0,
    calls,
  };
  const failures = judge(expectations, answer);
  if (!isWhole(state, expectations)) failures.push(noAnswer(error ?? state));
  const { seconds, credits, cited } = answer;
  const model = receipt?.model ?? 'none';
  return { answer: text, cited, passed: failures.length === 0, failures, seconds, credits, model };
}

/** Nobody approves tool calls in a test: where the call is the expectation, requesting it is enough. */
function isWhole(state: Tried['state'], expectations: StoredCase['expectations']): boolean {
  return (
    state === 'complete' || (state === 'waiting' && expectations.some(({ kind }) => kind === 'calls-tool'))
  );
}

const nothing = { answer: '', cited: [], passed: false, seconds: 0, credits: 0, model: 'none' };

function noAnswer(detail: string): Failure {
  return { kind: 'no-answer', detail };
}
