import {
  parameterTypes,
  type Tool,
  type ToolCallEntry,
  type ToolOperation,
  type ToolParameter,
} from '../../../contract/tool.ts';
import type { JsonSchema } from '../../db/schema/index.ts';
import { isObject } from './call/check-arguments.ts';
import { shapeOf } from './shape.ts';
import type { ListedTool, StoredCall, StoredOperation } from './store.ts';

/** Reveals only whether there is a secret. */
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
    parameters: plan.parameters.map(({ name, property, in: place, required, description }) => {
      const schema = schemaOf(operation.inputSchema, property);
      const [type, shape] = [typeOf(schema), shapeOf(schema)];
      return { name, property, in: place, required, description, type, shape };
    }),
    enabled,
    policy,
    hasFixture,
  };
}

function schemaOf({ properties }: JsonSchema, property: string): unknown {
  return isObject(properties) && Object.hasOwn(properties, property) ? properties[property] : undefined;
}

/** Null doesn't matter: it is expressed by omitting the value. */
function typeOf(schema: unknown): ToolParameter['type'] {
  const given = isObject(schema) ? schema['type'] : undefined;
  const [type, ...others] = [given].flat().filter((each) => each !== 'null');
  return others.length > 0 ? null : (parameterTypes.find((known) => known === type) ?? null);
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
