import type { Tool, ToolCallEntry, ToolOperation } from '../../../contract/tool.ts';
import type { ListedTool, StoredCall, StoredOperation } from './store.ts';

/** Of its secret only that there is one. */
export function toolOf({ secret, createdAt, updatedAt, ...tool }: ListedTool): Tool {
  return {
    ...tool,
    hasSecret: secret !== null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export function operationOf({ plan, ...operation }: StoredOperation): ToolOperation {
  const { id, functionName, method, path, summary, enabled, policy, fixture } = operation;
  const hasFixture = fixture !== null;
  return {
    id,
    functionName,
    method,
    path,
    summary,
    parameters: plan.parameters,
    enabled,
    policy,
    hasFixture,
  };
}

export function entryOf(call: StoredCall): ToolCallEntry {
  const { id, operationId, summary, state, status, durationMs, result, conversationId, messageId } = call;
  return {
    id,
    operationId,
    summary,
    state,
    status,
    durationMs,
    arguments: call.arguments,
    result,
    conversationId,
    messageId,
    createdAt: call.createdAt.toISOString(),
  };
}
