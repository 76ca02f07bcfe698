import { may, type Role } from '../../../contract/access.ts';
import { TEST_CASES_MAX, TEST_SETS_AN_AGENT_MAX } from '../../../contract/limits.ts';
import type { testSet as contract } from '../../../contract/test-set.ts';
import { inOrganization, type Agent } from '../../access/gate.ts';
import { requireSeen } from '../../access/seen.ts';
import { AppError, invalidField, notFound } from '../../app-error.ts';
import { personOf, type Handlers, type MemberCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/store.ts';
import { findAgent } from '../chatbot/store.ts';
import { findSettings } from '../version/store.ts';
import { casesOfCsv, csvOfCases } from './csv-cases.ts';
import { caseOf, resultOf, runOf, testSetOf } from './present.ts';
import * as store from './store.ts';

interface Named {
  id: string;
  organizationId: string;
  testSetId: string;
}

export function testSetHandlers({ db, jobs }: Deps): Handlers<typeof contract> {
  /** Runs in the organization with the agent and, if one is named, with the set, locked against changes. */
  const withAgent = <T>(
    caller: MemberCaller,
    { id, organizationId }: Pick<Named, 'id' | 'organizationId'>,
    permission: 'agent.read' | 'agent.write',
    work: (tx: Tx, agent: Agent, role: Role) => Promise<T>,
  ) =>
    inOrganization(db, caller, organizationId, permission, async (tx, { agents, role }) => {
      const agent = await findAgent(tx, organizationId, id, agents);
      if (!agent) throw notFound();
      return work(tx, agent, role);
    });

  const withSet = <T>(
    caller: MemberCaller,
    named: Named,
    permission: 'agent.read' | 'agent.write',
    work: (tx: Tx, set: store.StoredSet, opened: { agent: Agent; role: Role }) => Promise<T>,
  ) =>
    withAgent(caller, named, permission, async (tx, agent, role) => {
      const set = await store.findSet(tx, agent, named.testSetId, { lock: permission === 'agent.write' });
      if (!set) throw notFound();
      return work(tx, set, { agent, role });
    });

  return {
    list: async (named, caller) => ({
      testSets: await withAgent(caller, named, 'agent.read', async (tx, agent) =>
        (await store.listSets(tx, agent)).map(testSetOf),
      ),
    }),

    get: (named, caller) => withSet(caller, named, 'agent.read', (tx, set) => read(tx, set)),

    create: ({ name, cases, ...named }, caller, context) =>
      withAgent(caller, named, 'agent.write', async (tx, agent) => {
        if ((await store.countSets(tx, agent)) >= TEST_SETS_AN_AGENT_MAX) throw new AppError('test/limit');
        const set = await store.insertSet(tx, agent, { name });
        await store.replaceCases(tx, set, cases);
        await recordAudit(tx, caller, context, {
          organizationId: agent.organizationId,
          action: 'testSet.create',
          target: set,
          after: { name, agent: agent.name },
        });
        return read(tx, set);
      }),

    update: ({ name, isGate, cases, seen = {}, ...named }, caller, context) =>
      withSet(caller, named, 'agent.write', async (tx, set, { role }) => {
        if (set.isGate && isGate === false) requireOwner(role);
        await store.updateSet(tx, set, { name, isGate });
        if (cases) {
          requireSeen({ cases: (await read(tx, set)).cases }, seen, { cases });
          await store.replaceCases(tx, set, cases);
        }
        const after = await read(tx, set);
        await recordAudit(tx, caller, context, {
          organizationId: set.organizationId,
          action: 'testSet.update',
          target: set,
          before: { name: set.name, isGate: set.isGate, ...(cases ? { revision: set.revision } : {}) },
          after: {
            name: after.testSet.name,
            isGate: after.testSet.isGate,
            ...(cases ? { revision: set.revision + 1 } : {}),
          },
        });
        return after;
      }),

    remove: async (named, caller, context) => {
      await withSet(caller, named, 'agent.write', async (tx, set, { role }) => {
        if (set.isGate) requireOwner(role);
        await store.deleteSet(tx, set);
        await recordAudit(tx, caller, context, {
          organizationId: set.organizationId,
          action: 'testSet.remove',
          target: set,
          before: { name: set.name, isGate: set.isGate },
        });
      });
      return { deleted: true };
    },

    exportCsv: async (named, caller) => ({
      csv: await withSet(caller, named, 'agent.read', async (tx, set) =>
        csvOfCases(await store.listCases(tx, set)),
      ),
    }),

    importCsv: ({ csv, ...named }, caller, context) =>
      withSet(caller, named, 'agent.write', async (tx, set) => {
        const added = casesOfCsv(csv);
        const cases = [...(await store.listCases(tx, set)), ...added];
        if (cases.length > TEST_CASES_MAX)
          throw invalidField('csv', `A set can have at most ${TEST_CASES_MAX} questions.`);
        await store.replaceCases(tx, set, cases);
        await recordAudit(tx, caller, context, {
          organizationId: set.organizationId,
          action: 'testSet.importCsv',
          target: set,
          after: { added: added.length },
        });
        return read(tx, set);
      }),

    run: async ({ version, ...named }, caller) => {
      const { userId } = personOf(caller);
      return withSet(caller, named, 'agent.write', async (tx, set, { agent }) => {
        const tried = version ?? agent.version;
        if (!(await findSettings(tx, agent, tried))) throw notFound();
        const total = (await store.listCases(tx, set)).length;
        if (total === 0) throw invalidField('testSetId', 'It has no questions.');
        if (await store.hasRunUnderWay(tx, set))
          throw new AppError('resource/conflict', 'A run is in progress.');
        const run = await store.insertRun(tx, set, { version: tried, total, startedBy: userId });
        await jobs.enqueue(tx, 'test.run', { organizationId: set.organizationId, testRunId: run.id });
        return { run: runOf(run, set.revision) };
      });
    },

    listRuns: async (named, caller) => ({
      runs: await withSet(caller, named, 'agent.read', async (tx, set) =>
        (await store.listRuns(tx, set)).map((run) => runOf(run, set.revision)),
      ),
    }),

    getRun: ({ runId, ...named }, caller) =>
      withSet(caller, named, 'agent.read', async (tx, set) => {
        const run = await requireRun(tx, set, runId);
        return { run: runOf(run, set.revision), results: (await store.listResults(tx, run)).map(resultOf) };
      }),

    stopRun: async ({ runId, ...named }, caller) =>
      withSet(caller, named, 'agent.write', async (tx, set) => {
        await store.endRun(tx, await requireRun(tx, set, runId), 'stopped');
        return { run: runOf(await requireRun(tx, set, runId), set.revision) };
      }),
  };
}

/** Such a set stands between a version and the public: only an owner can remove it. */
function requireOwner(role: Role): void {
  if (!may(role, 'organization.own'))
    throw new AppError('auth/forbidden', 'Only an owner can override this requirement.');
}

async function requireRun(tx: Tx, set: store.StoredSet, id: string): Promise<store.StoredRun> {
  const run = await store.findRun(tx, { id, organizationId: set.organizationId });
  if (run?.testSetId !== set.id) throw notFound();
  return run;
}

async function read(tx: Tx, { id, organizationId, agentId }: store.StoredSet) {
  const sets = await store.listSets(tx, { id: agentId, organizationId });
  const found = sets.find((each) => each.id === id);
  if (!found) throw notFound();
  return { testSet: testSetOf(found), cases: (await store.listCases(tx, found)).map(caseOf) };
}
