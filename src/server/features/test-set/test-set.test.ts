import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { TEST_SETS_AN_AGENT_MAX } from '../../../contract/limits.ts';
import type { Expectation, TestRun } from '../../../contract/test-set.ts';
import { join } from '../../../../test/join.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';

let product: Product;
let ada: TestClient;
let organizationId: string;
let agentId: string;

beforeAll(async () => {
  product = await startProduct();
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = await agent();
});
afterAll(() => product.close());

/** An agent that knows when the shop is open, and nothing else. */
async function agent(): Promise<string> {
  const { chatbot } = await ada.chatbot.create({ organizationId, name: 'Helper' });
  await ada.chatbot.update({ id: chatbot.id, organizationId, enableKnowledgeBaseMode: true });
  const { knowledge } = await ada.knowledge.create({
    id: chatbot.id,
    organizationId,
    type: 'text',
    description: 'Opening hours',
    text: 'The shop in Zürich is open from nine to five on weekdays.',
  });
  const item = { id: chatbot.id, knowledgeId: knowledge.id };
  await vi.waitUntil(
    async () => (await ada.knowledge.get(item)).knowledge.progress.state === 'ready',
    60_000,
  );
  return chatbot.id;
}

const ofAgent = () => ({ id: agentId, organizationId });

async function setOf(cases: { question: string; expectations: Expectation[] }[], name = 'Basics') {
  const { testSet } = await ada.testSet.create({ ...ofAgent(), name, cases });
  return { ...ofAgent(), testSetId: testSet.id };
}

async function run(set: Awaited<ReturnType<typeof setOf>>, version?: number): Promise<TestRun> {
  const { run } = await ada.testSet.run({ ...set, ...(version ? { version } : {}) });
  return ended(set, run.id);
}

async function ended(set: Awaited<ReturnType<typeof setOf>>, runId: string): Promise<TestRun> {
  const read = async () => (await ada.testSet.getRun({ ...set, runId })).run;
  await expect.poll(async () => (await read()).state).not.toBe('running');
  return read();
}

const asksForHours = 'When is the shop open?';
const asksForMore = 'How do I repair a bicycle tyre?';

test('a run asks every question and reports unmet expectations', async () => {
  const set = await setOf([
    {
      question: asksForHours,
      expectations: [
        { kind: 'contains', text: 'NINE  to five' },
        { kind: 'contains', text: 'zurich' },
        { kind: 'not-contains', text: 'Sunday' },
        { kind: 'cites', text: 'opening hours' },
        { kind: 'max-seconds', seconds: 20 },
        { kind: 'max-credits', credits: 1 },
      ],
    },
    { question: asksForMore, expectations: [{ kind: 'refuses' }, { kind: 'max-credits', credits: 0 }] },
    {
      question: asksForHours,
      expectations: [
        { kind: 'contains', text: 'ten' },
        { kind: 'not-contains', text: 'nine' },
        { kind: 'cites', text: 'Price list' },
        { kind: 'refuses' },
        { kind: 'max-credits', credits: 0 },
      ],
    },
  ]);
  const finished = await run(set);
  expect(finished).toMatchObject({ state: 'done', total: 3, passed: 2, failed: 1, isCurrent: true });
  const { results } = await ada.testSet.getRun({ ...set, runId: finished.id });
  expect(results.map(({ passed }) => passed)).toEqual([true, true, false]);
  expect(results[0]?.cited).toEqual([{ title: 'Opening hours', url: null }]);
  expect(results[2]?.failures.map(({ kind }) => kind)).toEqual([
    'contains',
    'not-contains',
    'cites',
    'refuses',
    'max-credits',
  ]);
  expect((await ada.chat.list()).conversations).toEqual([]);
});

test('runs of one set distinguish two versions', async () => {
  const set = await setOf([{ question: asksForMore, expectations: [{ kind: 'contains', text: 'Ask Eve' }] }]);
  const { chatbot } = await ada.chatbot.get(ofAgent());
  const { chatbot: changed } = await ada.chatbot.update({ ...ofAgent(), fallbackMessage: 'Ask Eve.' });
  const before = await run(set, chatbot.version);
  const after = await run(set);
  expect([before, after].map(({ version, passed }) => [version, passed])).toEqual([
    [chatbot.version, 0],
    [changed.version, 1],
  ]);
  const { runs } = await ada.testSet.listRuns(set);
  expect(runs.map(({ id }) => id)).toEqual([after.id, before.id]);
});

test('a gating set blocks publishing until it passes, unless an owner gives a reason', async () => {
  const set = await setOf([{ question: asksForMore, expectations: [{ kind: 'contains', text: 'Ask Bob' }] }]);
  await ada.testSet.update({ ...set, isGate: true });
  const of = { ...ofAgent(), number: (await ada.chatbot.get(ofAgent())).chatbot.version };
  const gates = async () => (await ada.version.gates(of)).gates.map(({ why }) => why);
  expect(await gates()).toEqual(['not-run']);
  const gated = { status: 409, code: 'version/gated' };
  await expect(ada.version.publish(of)).rejects.toMatchObject(gated);
  expect(await run(set)).toMatchObject({ failed: 1 });
  expect(await gates()).toEqual(['failed']);
  await expect(ada.version.publish(of)).rejects.toMatchObject(gated);

  const eve = await join(product, ada, 'eve', { organizationId, role: 'editor' });
  const overriding = { ...of, overrideReason: 'The phone rings.' };
  await expect(eve.client.version.publish(overriding)).rejects.toMatchObject({ status: 403 });
  await expect(eve.client.testSet.update({ ...set, isGate: false })).rejects.toMatchObject({ status: 403 });
  await expect(eve.client.testSet.remove(set)).rejects.toMatchObject({ status: 403 });
  await ada.version.publish(overriding);
  const { entries } = await ada.audit.list({ organizationId, action: 'version.publish' });
  expect(entries[0]?.after).toMatchObject({ overridden: ['Basics'], overrideReason: 'The phone rings.' });

  const { chatbot } = await eve.client.chatbot.update({ ...ofAgent(), fallbackMessage: 'Ask Bob.' });
  expect(await run(set)).toMatchObject({ passed: 1, version: chatbot.version });
  await eve.client.version.publish({ ...ofAgent(), number: chatbot.version });
  // Changed questions have to be passed again.
  const { cases } = await ada.testSet.get(set);
  await ada.testSet.update({ ...set, cases: [...cases, { question: asksForHours, expectations: [] }] });
  await expect(eve.client.version.publish({ ...ofAgent(), number: chatbot.version })).rejects.toMatchObject(
    gated,
  );
  await ada.testSet.remove(set);
  await eve.client.version.publish({ ...ofAgent(), number: chatbot.version });
});

test('questions survive a CSV export and import, formulas and line breaks included', async () => {
  const cases = [
    {
      question: '=1+1, "really"?\nYes?',
      expectations: [
        { kind: 'contains' as const, text: '-5 °C' },
        { kind: 'contains' as const, text: 'b; c' },
        { kind: 'not-contains' as const, text: '@home' },
        { kind: 'cites' as const, text: 'Grüße' },
        { kind: 'refuses' as const },
        { kind: 'max-seconds' as const, seconds: 2.5 },
        { kind: 'max-credits' as const, credits: 3 },
      ],
    },
    { question: 'Plain?', expectations: [] },
  ];
  const from = await setOf(cases);
  const { csv } = await ada.testSet.exportCsv(from);
  expect(csv).not.toMatch(/(^|,)"?[=+@-]/m);
  const to = await setOf([], 'Copy');
  const imported = await ada.testSet.importCsv({ ...to, csv });
  expect(imported.cases.map(({ id: _, ...rest }) => rest)).toEqual(cases);
  expect(imported.testSet.caseCount).toBe(2);
});

test.each([
  ['semicolons', 'question;contains\r\nWhen, please, is it open?;nine, at last\r\n'],
  ['commas', '\ufeffquestion,contains\nWhen; please?,nine; at last\n'],
  ['tabs', '"question"\t"contains"\nWhen, please; open?\tnine\n'],
  ['one column alone', 'question\nWhen, please; is it\topen?\n'],
])('a CSV with %s is split only at its separator', async (_what, csv) => {
  const { cases } = await ada.testSet.importCsv({ ...(await setOf([], 'Cut')), csv });
  const [head = '', row = ''] = csv.replace('\ufeff', '').split(/\r?\n/);
  const cut = ['\t', ';', ','].find((each) => head.includes(each)) ?? '|';
  const [question, contained] = row.split(cut);
  const expectations = contained === undefined ? [] : [{ kind: 'contains', text: contained }];
  expect(cases).toMatchObject([{ question, expectations }]);
});

test.each([
  ['no question', 'question,contains\n,nine', 'Line 2, question: '],
  ['an unknown column', 'question,includes\nWhy?,x', 'includes'],
  ['a number that is none', 'question,max-seconds\nWhy?,soon', 'Line 2, max-seconds: Must be a number'],
  ['arguments that are none', 'question,calls-tool\nWhy?,order {it', 'Line 2, calls-tool: Must be the name'],
  ['a broken row', 'question,contains\nWhy?,a,b,c', 'line 2'],
  ['an open quote', 'question\n"Why?', 'Quote'],
  ['only a head', 'question', 'no questions'],
])('a CSV with %s is refused, and nothing is added', async (_what, csv, said) => {
  const set = await setOf([{ question: 'Kept?', expectations: [] }]);
  await expect(ada.testSet.importCsv({ ...set, csv })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining(said) as string,
  });
  expect((await ada.testSet.get(set)).cases.map(({ question }) => question)).toEqual(['Kept?']);
});

test('an interrupted run resumes where it was and counts nothing twice', async () => {
  const set = await setOf(
    Array.from({ length: 6 }, (_, index) => ({
      question: `${asksForHours} ${index}`,
      expectations: [{ kind: 'contains' as const, text: 'nine' }],
    })),
  );
  const finished = await run(set);
  expect(finished).toMatchObject({ passed: 6, total: 6 });
  // As after a kill between the third and fourth results.
  const { db, jobs } = product.app.deps;
  await db.owner.query('delete from test_result where test_run_id = $1 and position >= 3', [finished.id]);
  await db.owner.query(`update test_run set state = 'running', passed = 3 where id = $1`, [finished.id]);
  await db.in({ organizationId }, (tx) =>
    jobs.enqueue(tx, 'test.run', { organizationId, testRunId: finished.id }),
  );
  expect(await ended(set, finished.id)).toMatchObject({ state: 'done', passed: 6, failed: 0 });
});

test('a run can be stopped, and one set has one run at a time', async () => {
  const cases = Array.from({ length: 200 }, (_, index) => ({ question: `${index}?`, expectations: [] }));
  const set = await setOf(cases, 'Long');
  const { run: begun } = await ada.testSet.run(set);
  await expect(ada.testSet.run(set)).rejects.toMatchObject({ status: 409 });
  expect((await ada.testSet.stopRun({ ...set, runId: begun.id })).run.state).toBe('stopped');
  expect(await ended(set, begun.id)).toMatchObject({ state: 'stopped' });
  await expect(ada.testSet.run(await setOf([]))).rejects.toMatchObject({ status: 400 });
});

test('concurrent creations stop exactly at the limit', async () => {
  const { chatbot } = await ada.chatbot.create({ organizationId, name: 'Full' });
  const make = (name: string) => ada.testSet.create({ id: chatbot.id, organizationId, name, cases: [] });
  for (let made = 0; made < TEST_SETS_AN_AGENT_MAX - 1; made += 1) await make(`Set ${made}`);
  // Warms up a connection for each.
  await Promise.all(Array.from({ length: 16 }, () => ada.testSet.list({ id: chatbot.id, organizationId })));
  const tried = await Promise.allSettled(Array.from({ length: 16 }, (_, index) => make(`Last ${index}`)));
  expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('questions that someone else has added since they were read are not replaced', async () => {
  const { testSet, cases } = await ada.testSet.create({
    ...ofAgent(),
    name: 'Shared',
    cases: [{ question: asksForHours, expectations: [{ kind: 'contains', text: 'nine' }] }],
  });
  const key = { ...ofAgent(), testSetId: testSet.id };
  const added = { question: asksForMore, expectations: [] };
  const theirs = await ada.testSet.update({ ...key, cases: [...cases, added], seen: { cases } });
  await expect(ada.testSet.update({ ...key, cases: [], seen: { cases } })).rejects.toMatchObject({
    status: 409,
    errors: [{ path: 'cases', now: theirs.cases }],
  });
  expect((await ada.testSet.get(key)).cases).toEqual(theirs.cases);
  // Not a conflict: what isn't changed here.
  await ada.testSet.update({ ...key, name: 'Ours', seen: { cases } });
  await ada.testSet.update({ ...key, cases: [], seen: { cases: theirs.cases } });
});
