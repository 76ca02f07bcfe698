import type { Deps } from '../../deps.ts';
import type { CallOutcome, ToolCall, ToolCaller } from './call/caller.ts';
import { checkArguments, readArguments, type Arguments } from './call/check-arguments.ts';
import type { Logins } from './account/logins.ts';
import type { AccountKey } from './account/store.ts';
import { findCallable, findOperation, type OfferedOperation } from './store.ts';

interface OperationKey {
  organizationId: string;
  toolId: string;
  operationId: string;
}

interface OfferedCall
  extends OperationKey, Pick<ToolCall, 'arguments' | 'userId' | 'conversationId' | 'signal'> {
  idempotencyKey: string | undefined;
}

/**
 * Calls what an agent was offered, with the current settings: what has been removed from the agent meanwhile is no
 * longer called.
 */
export function toolboxOf({ db }: Pick<Deps, 'db'>, call: ToolCaller, logins: Pick<Logins, 'has'>) {
  return {
    readArguments: ({ inputSchema }: OfferedOperation, input: string): Arguments => {
      const given = readArguments(input);
      checkArguments(inputSchema, given);
      return given;
    },

    fixtureOf: async ({ organizationId, toolId, operationId }: OperationKey): Promise<string | null> => {
      const key = { organizationId, id: toolId };
      const found = await db.in({ organizationId }, (tx) => findOperation(tx, key, operationId));
      return found?.fixture ?? null;
    },

    hasAccount: (key: AccountKey): Promise<boolean> => db.in(key, (tx) => logins.has(tx, key)),

    call: async ({
      signal,
      idempotencyKey,
      userId,
      conversationId,
      ...wanted
    }: OfferedCall): Promise<CallOutcome> => {
      const { organizationId } = wanted;
      const found = await db.in({ organizationId }, (tx) => findCallable(tx, wanted));
      if (!found) {
        const text = 'This can no longer be called.';
        return { state: 'refused', status: null, text, durationMs: 0, request: null };
      }
      return call({ ...found, arguments: wanted.arguments, idempotencyKey, userId, conversationId, signal });
    },
  };
}
