import { afterAll, beforeAll, expect, test } from 'vitest';
import { join } from '../../../../test/join.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import type { Deps } from '../../deps.ts';
import { Answering } from '../chat/answering.ts';
import type { Toolbox } from '../chat/tool-use.ts';
import { trialsIn } from '../chat/trial.ts';
import { runTests } from './run.job.ts';
import { insertRun, insertSet, replaceCases } from './store.ts';

/** How a run ends that is interrupted, fails or is overtaken. */

let product: Product;
let provider: Provider;
let ada: TestClient;
let deps: Deps;
let organizationId: string;
let agentId: string;
let startedBy: string;

beforeAll(async () => {
  provider = await startProvider({ pieces: ['Yes.'] });
  product = await startProduct({
    providers: { openai: provider.openai },
  });
  deps = product.app.deps;
  ada = product.as('ada');
  startedBy = (await product.sessionOf('ada')).user.uid;
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

/** A run without a job. */
async function runOf(questions: string[], by = startedBy) {
  return deps.db.in({ organizationId }, async (tx) => {
    const set = await insertSet(tx, { id: agentId, organizationId }, { name: 'Basics' });
    await replaceCases(
      tx,
      set,
      questions.map((question) => ({ question, expectations: [] })),
    );
    const asked = { ...set, revision: set.revision + 1 };
    const run = await insertRun(tx, asked, { version: 1, total: questions.length, startedBy: by });
    return { id: agentId, organizationId, testSetId: set.id, runId: run.id };
  });
}

const answered = {
  text: 'Yes.',
  state: 'complete' as const,
  error: null,
  citations: [],
  receipt: null,
  isRefusal: false,
  calls: [],
};

test('a question of a run that was aborted before it began is not asked to the end', async () => {
  provider.script = { pieces: [], hang: true };
  const people = { heard: () => undefined };
  const trial = trialsIn(deps, new Answering(deps, {} as Toolbox, people));
  const question = { organizationId, agentId, version: 1, question: 'Well?', userId: startedBy };
  const started = performance.now();
  const { state, receipt } = await trial(question, AbortSignal.abort());
  expect([state, receipt?.credits]).toEqual(['stopped', 0]);
  expect(performance.now() - started).toBeLessThan(5000);
  provider.script = { pieces: ['Yes.'] };
});

test('a result that cannot be stored leaves no other question of its run running', async () => {
  const named = await runOf(['breaks', 'slow']);
  const slow = Promise.withResolvers<void>();
  let isOver = false;
  const asked: string[] = [];
  // The database is unavailable for the first result.
  let stored = 0;
  const failing = {
    ...deps,
    db: {
      ...deps.db,
      in: async (scope: never, work: never) => {
        if (asked.length === 2 && (stored += 1) === 1) throw new Error('away');
        return deps.db.in(scope, work);
      },
    },
  } as unknown as Deps;
  const run = runTests(failing, async ({ question }) => {
    asked.push(question);
    if (question === 'slow') await slow.promise;
    else await expect.poll(() => asked.length).toBe(2);
    return answered;
  });
  const job = { organizationId, testRunId: named.runId };
  const done = run(job, new AbortController().signal).finally(() => (isOver = true));
  done.catch(() => undefined);
  await expect.poll(() => stored).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(isOver).toBe(false);
  slow.resolve();
  await expect(done).rejects.toThrow('away');
  await runTests(deps, async () => answered)(job, new AbortController().signal);
  expect((await ada.testSet.getRun(named)).run).toMatchObject({ state: 'done', passed: 2 });
});

test('a run stops asking when its questions change', async () => {
  const named = await runOf(['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']);
  const { runId: _, ...set } = named;
  let asked = 0;
  const run = runTests(deps, async () => {
    asked += 1;
    await ada.testSet.update({ ...set, cases: [{ question: 'Other?', expectations: [] }] });
    return answered;
  });
  await run({ organizationId, testRunId: named.runId }, new AbortController().signal);
  expect(asked).toBeLessThan(8);
  expect((await ada.testSet.getRun(named)).run.state).toBe('stopped');
});

test('a run stops asking when a team hides the agent from the person who started it', async () => {
  const eve = await join(product, ada, 'eve', { organizationId, role: 'editor' });
  const named = await runOf(['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'], eve.userId);
  let asked = 0;
  let put: Promise<unknown> | undefined;
  const run = runTests(deps, async () => {
    asked += 1;
    put ??= ada.team.create({ organizationId, name: 'Insiders', agents: [agentId] });
    await put;
    return answered;
  });
  await run({ organizationId, testRunId: named.runId }, new AbortController().signal);
  expect(asked).toBeLessThan(8);
  expect((await ada.testSet.getRun(named)).run.state).toBe('stopped');
});
