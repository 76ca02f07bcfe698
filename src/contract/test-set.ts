import * as z from 'zod';
import { name, text, Timestamp } from './common.ts';
import { idOf } from './id.ts';
import {
  MESSAGE_MAX_CHARACTERS,
  TEST_CASES_MAX,
  TEST_CSV_MAX_CHARACTERS,
  TEST_EXPECTATIONS_MAX,
  TEST_SET_NAME_MAX_CHARACTERS,
} from './limits.ts';
import { route } from './route.ts';

export const runStates = ['running', 'done', 'stopped'] as const;

/** Searched for in answers; not a name. */
const Words = text(500).trim().min(1, 'Must not be blank.');

/** What an answer must be like. Words are compared with what is read, ignoring case, accents and spacing. */
export const Expectation = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('contains'), text: Words }),
  z.strictObject({ kind: z.literal('not-contains'), text: Words }),
  /** The title or address of a cited source contains these words. */
  z.strictObject({ kind: z.literal('cites'), text: Words }),
  /** The agent says that it has no answer. */
  z.strictObject({ kind: z.literal('refuses') }),
  z.strictObject({ kind: z.literal('max-seconds'), seconds: z.number().positive().max(300) }),
  z.strictObject({ kind: z.literal('max-credits'), credits: z.number().int().min(0).max(1000) }),
  /** It calls this operation of a tool, or asks for permission to, with at least these arguments. */
  z.strictObject({
    kind: z.literal('calls-tool'),
    operation: Words,
    arguments: z.record(z.string(), z.unknown()).default({}),
  }),
]);
export type Expectation = z.infer<typeof Expectation>;

export type ExpectationKind = Expectation['kind'];

/** The expected value besides the kind, in the form a field or a cell holds it. */
export function valueOfExpectation(expectation: Expectation): string {
  if ('text' in expectation) return expectation.text;
  if ('seconds' in expectation) return String(expectation.seconds);
  if ('operation' in expectation) {
    const { operation, arguments: given } = expectation;
    return Object.keys(given).length === 0 ? operation : `${operation} ${JSON.stringify(given)}`;
  }
  return 'credits' in expectation ? String(expectation.credits) : '';
}

/** The inverse; invalid numbers or arguments are left for the schema to reject. */
export function expectationOf(kind: ExpectationKind, value: string): Expectation {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (kind === 'refuses') return { kind };
  if (kind === 'max-seconds') return { kind, seconds: number };
  if (kind === 'max-credits') return { kind, credits: number };
  if (kind === 'calls-tool') return { kind, ...calledIn(value) };
  return { kind, text: value };
}

/** `createOrder {"item": "Lamp"}` */
function calledIn(value: string): { operation: string; arguments: Record<string, unknown> } {
  const brace = value.indexOf('{');
  if (brace < 0) return { operation: value.trim(), arguments: {} };
  const operation = value.slice(0, brace).trim();
  try {
    return { operation, arguments: JSON.parse(value.slice(brace)) as Record<string, unknown> };
  } catch {
    return { operation, arguments: null as never };
  }
}

/** Why a case failed: the expectation that wasn't met, or that there was no answer at all. */
export const Failure = z.object({
  kind: z.enum([
    'contains',
    'not-contains',
    'cites',
    'refuses',
    'max-seconds',
    'max-credits',
    'calls-tool',
    'no-answer',
  ]),
  /** What was expected, or what happened instead. */
  detail: z.string(),
});
export type Failure = z.infer<typeof Failure>;

export const CitedSource = z.object({ title: z.string(), url: z.string().nullable() });
export type CitedSource = z.infer<typeof CitedSource>;

const Expectations = z.array(Expectation).max(TEST_EXPECTATIONS_MAX);

export const TestCase = z.object({
  id: idOf('testCase'),
  question: z.string(),
  expectations: z.array(Expectation),
});
export type TestCase = z.infer<typeof TestCase>;

export const NewTestCase = z.strictObject({
  /** The id of an existing case, which keeps its results comparable; omitted for a new one. */
  id: idOf('testCase').optional(),
  question: name(MESSAGE_MAX_CHARACTERS),
  expectations: Expectations,
});

export const TestRun = z.object({
  id: idOf('testRun'),
  testSetId: idOf('testSet'),
  /** The agent's version. */
  version: z.number().int(),
  state: z.enum(runStates),
  total: z.number().int(),
  passed: z.number().int(),
  failed: z.number().int(),
  credits: z.number().int(),
  /** False if the questions have changed since. */
  isCurrent: z.boolean(),
  createdAt: Timestamp,
  finishedAt: Timestamp.nullable(),
});
export type TestRun = z.infer<typeof TestRun>;

export const TestResult = z.object({
  testCaseId: idOf('testCase'),
  question: z.string(),
  expectations: z.array(Expectation),
  answer: z.string(),
  cited: z.array(CitedSource),
  passed: z.boolean(),
  failures: z.array(Failure),
  seconds: z.number(),
  credits: z.number().int(),
  model: z.string(),
});
export type TestResult = z.infer<typeof TestResult>;

export const TestSet = z.object({
  id: idOf('testSet'),
  name: z.string(),
  isGate: z.boolean(),
  caseCount: z.number().int(),
  lastRun: TestRun.nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type TestSet = z.infer<typeof TestSet>;

const ofAgent = { id: idOf('agent'), organizationId: idOf('organization') };
const ofSet = { ...ofAgent, testSetId: idOf('testSet') };
const Name = name(TEST_SET_NAME_MAX_CHARACTERS);
const OneSet = z.object({ testSet: TestSet, cases: z.array(TestCase) });

export const testSet = {
  list: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/test-set',
    summary: "An agent's test sets",
    input: z.strictObject(ofAgent),
    output: z.object({ testSets: z.array(TestSet) }),
  }),
  get: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/test-set/{testSetId}',
    summary: 'Read a test set with its questions',
    input: z.strictObject(ofSet),
    output: OneSet,
  }),
  create: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/test-set',
    summary: 'Create a test set',
    input: z.strictObject({
      ...ofAgent,
      name: Name,
      cases: z.array(NewTestCase).max(TEST_CASES_MAX).default([]),
    }),
    output: OneSet,
  }),
  /**
   * `cases` replaces all existing ones; with `seen`, replacing cases that someone else has changed since is a 409, and
   * `now` in its `errors` holds them. `isGate` makes passing it a condition of publishing; only an owner can lift
   * that, and only an owner can delete such a set.
   */
  update: route({
    method: 'PUT',
    path: '/v1/chatbot/{id}/test-set/{testSetId}',
    summary: 'Change a test set',
    input: z.strictObject({
      ...ofSet,
      name: Name.optional(),
      isGate: z.boolean().optional(),
      cases: z.array(NewTestCase).max(TEST_CASES_MAX).optional(),
      seen: OneSet.pick({ cases: true }).partial().optional(),
    }),
    output: OneSet,
  }),
  remove: route({
    method: 'DELETE',
    path: '/v1/chatbot/{id}/test-set/{testSetId}',
    summary: 'Delete a test set',
    input: z.strictObject(ofSet),
    output: z.object({ deleted: z.literal(true) }),
  }),
  /**
   * CSV (RFC 4180) with the columns question, contains, not-contains, cites, refuses, max-seconds, max-credits,
   * calls-tool; several texts of one kind go on separate lines of one cell.
   */
  exportCsv: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/test-set/{testSetId}/csv',
    summary: 'Export the questions of a test set',
    input: z.strictObject(ofSet),
    output: z.object({ csv: z.string() }),
  }),
  /** Adds the questions in such a file. Errors: 400 that names the line, in which case nothing is added. */
  importCsv: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/test-set/{testSetId}/csv',
    summary: 'Import questions into a test set',
    input: z.strictObject({ ...ofSet, csv: text(TEST_CSV_MAX_CHARACTERS, 1) }),
    output: OneSet,
  }),
  /** Asks every question in the set, each in its own conversation; costs as much as the answers cost. */
  run: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/test-set/{testSetId}/run',
    summary: 'Run a test set',
    input: z.strictObject({
      ...ofSet,
      /** Omitted: the draft. */
      version: z.number().int().min(1).optional(),
    }),
    output: z.object({ run: TestRun }),
  }),
  /** The newest 100. */
  listRuns: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/test-set/{testSetId}/run',
    summary: 'The runs of a test set, newest first',
    input: z.strictObject(ofSet),
    output: z.object({ runs: z.array(TestRun) }),
  }),
  getRun: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/test-set/{testSetId}/run/{runId}',
    summary: 'Read a run with its results',
    input: z.strictObject({ ...ofSet, runId: idOf('testRun') }),
    output: z.object({ run: TestRun, results: z.array(TestResult) }),
  }),
  stopRun: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/test-set/{testSetId}/run/{runId}/stop',
    summary: 'Stop a run',
    input: z.strictObject({ ...ofSet, runId: idOf('testRun') }),
    output: z.object({ run: TestRun }),
  }),
};
