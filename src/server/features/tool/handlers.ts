import type { tool as contract } from '../../../contract/tool.ts';
import { inAgent } from '../../access/gate.ts';
import { requireSeen } from '../../access/seen.ts';
import { invalidField, notFound } from '../../app-error.ts';
import type { Handlers } from '../../call.ts';
import type { Deps } from '../../deps.ts';
import { requireVisiblyOuter } from '../../egress/target.ts';
import { decodeCursor, encodeCursor, readId } from '../../cursor.ts';
import { recordAudit } from '../audit/store.ts';
import { builtinOperations } from './builtin/operations.ts';
import type { ToolCaller } from './call/caller.ts';
import { readDocument } from './openapi/read-document.ts';
import { auditedChange, auditedOf, inToolOf, personOf, whole } from './in-tool.ts';
import { entryOf, toolOf } from './present.ts';
import { offeredByServer } from './mcp/offered.ts';
import type { Mcp } from './mcp/mcp.ts';
import { requireRoom } from './room.ts';
import { changedTool, replaceOperations, saveTool, type Offered, type ToolSettings } from './save.ts';
import { asStored } from './settings.ts';
import * as store from './store.ts';

/** Ways to reach the other side. */
export interface Calling {
  call: ToolCaller;
  mcp: Mcp;
}

export function toolHandlers(deps: Deps, { call, mcp }: Calling): Handlers<typeof contract> {
  const { db, egress, vault } = deps;

  const inTool = inToolOf(db);

  /** What the other side says it can do, if the change calls for it. Undefined: stays as is. */
  const offeredBy = async (
    now: store.StoredTool,
    settings: ToolSettings,
    { userId, signal }: { userId: string | undefined; signal: AbortSignal },
  ): Promise<Offered | undefined> => {
    const { schema, serverUrl } = settings;
    if (serverUrl !== undefined) requireVisiblyOuter(serverUrl, deps.config);
    if (schema && now.kind !== 'openapi') throw invalidField('schema', 'This kind of tool has no document.');
    if (schema) return readDocument(egress, schema, signal);
    if (now.kind !== 'mcp' || serverUrl === undefined) return undefined;
    return offeredByServer(mcp, now, changedTool(vault, now, settings), { userId, signal });
  };

  return {
    list: async ({ agentId }, caller) => {
      const found = await inAgent(db, caller, agentId, 'agent.read', (tx, { organizationId }) =>
        store.listTools(tx, organizationId, agentId),
      );
      return { tools: found.map(toolOf) };
    },

    get: async ({ id }, caller) => inTool(caller, id, 'agent.read', whole),

    create: async ({ organizationId, agentId, kind, name }, caller, context) =>
      inAgent(db, caller, agentId, 'agent.write', async (tx, agent) => {
        if (agent.organizationId !== organizationId) throw notFound();
        await requireRoom(deps, tx, organizationId, agentId);
        const authentication = { type: 'none' } as const;
        const made = await store.insertTool(tx, { organizationId, agentId, kind, name, authentication });
        if (kind === 'builtin') await replaceOperations(tx, made, builtinOperations);
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'tool.create',
          target: made,
          after: { name, kind },
        });
        return whole(tx, made);
      }),

    update: async ({ id, seen = {}, ...settings }, caller, context) => {
      const requireUnchanged = (tool: store.StoredTool) =>
        requireSeen(tool, asStored(seen), asStored(settings));
      // Nothing is fetched for a caller who may not change it, or who would overwrite what they haven't seen.
      const now = await inTool(caller, id, 'agent.write', async (_tx, tool) => {
        requireUnchanged(tool);
        return tool;
      });
      const offered = await offeredBy(now, settings, { userId: personOf(caller), signal: context.signal });
      return inTool(caller, id, 'agent.write', async (tx, before) => {
        requireUnchanged(before);
        const after = await saveTool(tx, vault, before, settings, offered);
        const changed = auditedChange(before, after);
        await recordAudit(tx, caller, context, {
          organizationId: before.organizationId,
          action: 'tool.update',
          target: after,
          before: changed.before,
          after: {
            ...changed.after,
            ...(settings.schema ? { schema: 'read' } : {}),
            ...(settings.operations ? { operations: JSON.stringify(settings.operations) } : {}),
          },
        });
        return whole(tx, after);
      });
    },

    remove: async ({ id }, caller, context) => {
      await inTool(caller, id, 'agent.write', async (tx, tool) => {
        await store.deleteTool(tx, tool);
        await recordAudit(tx, caller, context, {
          organizationId: tool.organizationId,
          action: 'tool.remove',
          target: tool,
          before: auditedOf(tool),
        });
      });
      return { deleted: true };
    },

    test: async ({ id, operationId, arguments: given }, caller, context) => {
      const found = await inTool(caller, id, 'agent.write', async (tx, tool) => {
        const operation = await store.findOperation(tx, tool, operationId);
        if (!operation) throw invalidField('operationId', 'The tool has no such operation.');
        return { tool, operation };
      });
      const { signal } = context;
      const userId = personOf(caller);
      const outcome = await call({ ...found, arguments: given, userId, signal });
      const { state, status, text, durationMs, request } = outcome;
      // Refused arguments may be ones that no row can hold.
      const kept = state === 'refused' ? {} : given;
      await inTool(caller, id, 'agent.write', (tx) =>
        store.insertTrial(tx, found.operation, {
          state,
          status,
          durationMs,
          arguments: kept,
          result: text,
        }),
      );
      return { state, status, durationMs, request, response: text };
    },

    listCalls: async ({ id, cursor, count }, caller) => {
      const before = decodeCursor(cursor, readId);
      const found = await inTool(caller, id, 'agent.read', (tx, tool) =>
        store.listCalls(tx, tool, { count: count + 1, before }),
      );
      const page = found.slice(0, count);
      const last = found.length > count ? page.at(-1) : undefined;
      return { calls: page.map(entryOf), nextCursor: last ? encodeCursor([last.id]) : null };
    },
  };
}
