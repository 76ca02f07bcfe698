import { boolean, index, integer, jsonb, pgTable, primaryKey, real, text } from 'drizzle-orm/pg-core';
import { runStates, type CitedSource, type Expectation, type Failure } from '../../../contract/test-set.ts';
import { agent } from './agent.ts';
import { createdAt, moment, ofOrganization, organizationId } from './columns.ts';

/** Questions for an agent, with what is expected of the answers. */
export const testSet = pgTable(
  'test_set',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agent.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** A version can be published only once it has passed this set. */
    isGate: boolean('is_gate').notNull().default(false),
    /** Counts the changes to its cases: a run is only valid for the cases it ran. */
    revision: integer('revision').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [index('test_set_agent').on(table.agentId, table.createdAt), ofOrganization()],
);

export const testCase = pgTable(
  'test_case',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    testSetId: text('test_set_id')
      .notNull()
      .references(() => testSet.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    question: text('question').notNull(),
    expectations: jsonb('expectations').$type<Expectation[]>().notNull(),
  },
  (table) => [index('test_case_set').on(table.testSetId, table.position), ofOrganization()],
);

/** One run of all of a set's questions against one version. */
export const testRun = pgTable(
  'test_run',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    testSetId: text('test_set_id')
      .notNull()
      .references(() => testSet.id, { onDelete: 'cascade' }),
    agentId: text('agent_id').notNull(),
    /** The agent's version. */
    version: integer('version').notNull(),
    /** The set's revision. */
    revision: integer('revision').notNull(),
    state: text('state', { enum: runStates }).notNull().default('running'),
    total: integer('total').notNull(),
    passed: integer('passed').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    credits: integer('credits').notNull().default(0),
    /** The owner of the conversations in which the questions are asked. */
    startedBy: text('started_by').notNull(),
    createdAt: createdAt(),
    finishedAt: moment('finished_at'),
  },
  (table) => [index('test_run_set').on(table.testSetId, table.createdAt), ofOrganization()],
);

/** The outcome of one question, with the case as it was at the time. */
export const testResult = pgTable(
  'test_result',
  {
    organizationId: organizationId(),
    testRunId: text('test_run_id')
      .notNull()
      .references(() => testRun.id, { onDelete: 'cascade' }),
    testCaseId: text('test_case_id').notNull(),
    position: integer('position').notNull(),
    question: text('question').notNull(),
    expectations: jsonb('expectations').$type<Expectation[]>().notNull(),
    answer: text('answer').notNull(),
    cited: jsonb('cited').$type<CitedSource[]>().notNull(),
    passed: boolean('passed').notNull(),
    failures: jsonb('failures').$type<Failure[]>().notNull(),
    seconds: real('seconds').notNull(),
    credits: integer('credits').notNull(),
    model: text('model').notNull(),
  },
  (table) => [primaryKey({ columns: [table.testRunId, table.testCaseId] }), ofOrganization()],
);
