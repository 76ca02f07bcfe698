import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { InputOf, OutputOf, ParsedInputOf } from '../../../contract/route.ts';
import type { Tool, tool as contract, toolSignIn as signIn } from '../../../contract/tool.ts';
import { laterApi } from '../../api/later-api.ts';
import { useSaveOver } from '../../forms/save-over.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { toolQuery, toolsQuery } from '../../queries/agent-queries.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';

export type ToolChanges = Omit<InputOf<typeof contract.update>, 'id' | 'seen'>;
/** The stored values when their changes were begun. */
type Seen = NonNullable<InputOf<typeof contract.update>['seen']>;
export type ToolDocument = NonNullable<ParsedInputOf<typeof contract.update>['schema']>;
type OperationChoice = NonNullable<ToolChanges['operations']>[number];
type WholeTool = OutputOf<typeof contract.get>;

/** Handles a failure that a field can show. Otherwise a toast does. */
export type OnRefused = (error: unknown) => boolean;

const keyOf = (agentId: string) => toolsQuery(agentId).queryKey;

interface NewTool {
  kind: Tool['kind'];
  name: string;
  /** For a service. */
  document?: ToolDocument;
}

/** A tool whose document was rejected is removed again; if that fails, the next attempt reuses it. */
export function useCreateTool(onCreated: (made: WholeTool) => unknown, onRefused?: OnRefused) {
  const organizationId = useOrgId();
  const agentId = useAgentId();
  const queryClient = useQueryClient();
  const made = useRef<string>(undefined);
  return useMutation({
    mutationFn: async ({ kind, name, document }: NewTool) => {
      const create = () => laterApi.tool.create({ organizationId, agentId, kind, name });
      if (!document) return create();
      made.current ??= (await create()).tool.id;
      const id = made.current;
      return laterApi.tool.update({ id, name, schema: document }).catch(async (error: unknown) => {
        // Unfinished, it would appear in the list and count toward the plan.
        const isGone = await laterApi.tool.remove({ id }).then(
          () => true,
          () => false,
        );
        if (isGone) made.current = undefined;
        throw error;
      });
    },
    onSuccess: onCreated,
    onError: (error) => onRefused?.(error) || announceFailure(error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(agentId), exact: true }),
    meta: { failure: 'createTool', quiet: true },
  });
}

interface Saving {
  onSaved?: (saved: WholeTool) => unknown;
  onRefused?: OnRefused;
}

export function useUpdateTool(
  { agentId, id }: Tool,
  { onSaved, onRefused }: Saving = {},
  seen: () => Seen = () => ({}),
) {
  const queryClient = useQueryClient();
  const { queryKey } = toolQuery(agentId, id);
  const saveOver = useSaveOver(seen, {
    send: (changes: ToolChanges) => laterApi.tool.update({ id, ...changes }),
    storedOf: ({ tool }) => tool,
    onChanged: (now) =>
      queryClient.setQueryData(queryKey, (found) => found && { ...found, tool: { ...found.tool, ...now } }),
  });
  return useMutation({
    mutationFn: saveOver,
    onSuccess: (saved) => {
      queryClient.setQueryData(queryKey, saved);
      onSaved?.(saved);
    },
    onError: (error) => onRefused?.(error) || announceFailure(error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(agentId), exact: true }),
    // A secret is not cached with the finished call.
    gcTime: 0,
    meta: { failure: 'updateTool', quiet: true },
  });
}

/** Discovers where people sign in at an MCP server from its metadata, and saves it to the tool. */
export function useFindSignIn({ agentId, id }: Tool, { onSaved, onRefused }: Saving = {}) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (server: Omit<InputOf<typeof signIn.find>, 'id'>) =>
      laterApi.toolSignIn.find({ id, ...server }),
    onSuccess: (saved) => {
      queryClient.setQueryData(toolQuery(agentId, id).queryKey, saved);
      onSaved?.(saved);
    },
    onError: (error) => onRefused?.(error) || announceFailure(error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(agentId), exact: true }),
    gcTime: 0,
    meta: { failure: 'updateTool', quiet: true },
  });
}

/** Selections show at once and are saved one after the other; the stored state is reloaded after the last one. */
export function useChooseOperations({ agentId, id }: Tool) {
  const queryClient = useQueryClient();
  const { queryKey } = toolQuery(agentId, id);
  const mutationKey = ['choose-operations', id];
  return useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: (operations: OperationChoice[]) => laterApi.tool.update({ id, operations }),
    onMutate: async (choices) => {
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, (found) => found && withChoices(found, choices));
    },
    onSettled: () =>
      queryClient.isMutating({ mutationKey }) === 1 &&
      queryClient.invalidateQueries({ queryKey: keyOf(agentId) }),
    meta: { failure: 'updateTool' },
  });
}

function withChoices(found: WholeTool, choices: OperationChoice[]): WholeTool {
  const byId = new Map(choices.map((choice) => [choice.id, choice]));
  const operations = found.operations.map((operation) => {
    const chosen: Partial<OperationChoice> = byId.get(operation.id) ?? {};
    const { enabled = operation.enabled, policy = operation.policy, fixture } = chosen;
    const hasFixture = fixture === undefined ? operation.hasFixture : fixture !== null;
    return { ...operation, enabled, policy, hasFixture };
  });
  return { ...found, operations };
}

export function useRemoveTool({ agentId, id }: Tool, onRemoved: () => Promise<void>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => laterApi.tool.remove({ id }),
    onSuccess: async () => {
      await onRemoved();
      await queryClient.invalidateQueries({ queryKey: keyOf(agentId), exact: true });
      queryClient.removeQueries({ queryKey: toolQuery(agentId, id).queryKey });
    },
    meta: { failure: 'deleteTool' },
  });
}

/** Calls the service for real. Any response counts as success, whatever it says. */
export function useTestTool({ agentId, id }: Tool) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (trial: Omit<InputOf<typeof contract.test>, 'id'>) => laterApi.tool.test({ id, ...trial }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: callsKeyOf(agentId, id) }),
    meta: { failure: 'testTool' },
  });
}

const callsKeyOf = (agentId: string, id: string) => [...toolQuery(agentId, id).queryKey, 'calls'];

/** Newest first. */
export function useToolCalls({ agentId, id }: Tool) {
  return useInfiniteQuery({
    queryKey: callsKeyOf(agentId, id),
    queryFn: ({ pageParam, signal }) =>
      laterApi.tool.listCalls({ id, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // The agent calls it at any time.
    staleTime: 0,
    meta: { failure: 'getTools', quiet: true },
  });
}
