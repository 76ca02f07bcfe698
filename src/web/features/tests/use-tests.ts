import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { InputOf } from '../../../contract/route.ts';
import type { TestCase, testSet } from '../../../contract/test-set.ts';
import { laterApi } from '../../api/later-api.ts';
import { standing } from '../../forms/form.ts';
import { RUNNING_POLL_MS, testSetQuery } from '../../queries/agent-queries.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';

export interface AgentKey {
  id: string;
  organizationId: string;
}

export interface SetKey extends AgentKey {
  testSetId: string;
}

export function useAgentKey(): AgentKey {
  return { id: useAgentId(), organizationId: useOrgId() };
}

const keyOf = ({ id }: AgentKey) => ['tests', id];

export const runsQuery = (key: SetKey) =>
  queryOptions({
    queryKey: [...keyOf(key), key.testSetId, 'runs'],
    queryFn: async ({ signal }) => (await laterApi.testSet.listRuns(key, { signal })).runs,
    refetchInterval: ({ state }) =>
      state.data?.some((run) => run.state === 'running') ? RUNNING_POLL_MS : false,
    meta: { failure: 'getTests', quiet: true },
  });

export const runQuery = (key: SetKey, runId: string) =>
  queryOptions({
    queryKey: [...keyOf(key), key.testSetId, 'runs', runId],
    queryFn: ({ signal }) => laterApi.testSet.getRun({ ...key, runId }, { signal }),
    refetchInterval: ({ state }) => (state.data?.run.state === 'running' ? RUNNING_POLL_MS : false),
    meta: { failure: 'getTests', quiet: true },
  });

/** Performs an action on an agent's tests, and reloads them. */
function useTestsMutation<Input, Output>(
  act: (input: Input, key: AgentKey) => Promise<Output>,
  onSuccess: (output: Output) => unknown = () => undefined,
) {
  const key = useAgentKey();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => act(input, key),
    onSuccess,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(key) }),
    meta: { failure: 'updateTests' },
  });
}

export function useCreateSet(onCreated: (testSetId: string) => unknown) {
  return useTestsMutation(
    async (name: string, key) => (await laterApi.testSet.create({ ...key, name })).testSet.id,
    onCreated,
  );
}

type Changes = Omit<InputOf<typeof testSet.update>, keyof AgentKey | 'cases' | 'seen'>;
type NewCase = NonNullable<InputOf<typeof testSet.update>['cases']>[number];

export function useUpdateSet(onSaved?: () => unknown) {
  return useTestsMutation(
    (changes: Changes, key) => laterApi.testSet.update({ ...key, ...changes }),
    onSaved,
  );
}

/**
 * Changes a set's questions, one change after the other. A change is made to the questions as they are now: to those
 * that others have saved meanwhile, if need be.
 */
export function useChangeCases(of: SetKey, onSaved: () => unknown) {
  const queryClient = useQueryClient();
  const { queryKey } = testSetQuery(of);
  return useMutation({
    scope: { id: `cases ${of.testSetId}` },
    mutationFn: (change: (now: readonly TestCase[]) => NewCase[]) => {
      const save = (now: TestCase[]) =>
        laterApi.testSet.update({ ...of, cases: change(now), seen: { cases: now } });
      return save(queryClient.getQueryData(queryKey)?.cases ?? []).catch((error: unknown) => {
        const now = standing(error)?.['cases'];
        if (!now) throw error;
        return save(now as TestCase[]);
      });
    },
    onSuccess: (saved) => {
      queryClient.setQueryData(queryKey, saved);
      onSaved();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(of) }),
    meta: { failure: 'updateTests' },
  });
}

export function useRemoveSet(onRemoved: () => unknown) {
  return useTestsMutation(
    (testSetId: string, key) => laterApi.testSet.remove({ ...key, testSetId }),
    onRemoved,
  );
}

export function useImportCsv(onImported: () => unknown) {
  return useTestsMutation(
    (input: { testSetId: string; csv: string }, key) => laterApi.testSet.importCsv({ ...key, ...input }),
    onImported,
  );
}

export function useRun(onStarted: (runId: string) => unknown) {
  return useTestsMutation(
    async (input: { testSetId: string; version?: number }, key) =>
      (await laterApi.testSet.run({ ...key, ...input })).run.id,
    onStarted,
  );
}

export function useStopRun() {
  return useTestsMutation((input: { testSetId: string; runId: string }, key) =>
    laterApi.testSet.stopRun({ ...key, ...input }),
  );
}
