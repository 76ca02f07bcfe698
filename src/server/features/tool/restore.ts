import { needsSecret } from '../../../contract/tool-secret.ts';
import type { Agent } from '../../access/gate.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../id.ts';
import { builtinOperations } from './builtin/operations.ts';
import { requireRoom } from './room.ts';
import { usualPolicy } from './settings.ts';
import * as store from './store.ts';
import type { StoredOperation, StoredTool } from './store.ts';

/** A tool exported without its secret. */
type KeptTool = Omit<
  StoredTool,
  'id' | 'organizationId' | 'agentId' | 'secret' | 'leftOut' | 'cutAfter' | 'createdAt' | 'updatedAt'
> & {
  /** Whether it had a secret. */
  hasSecret: boolean;
};

/** An operation with its settings and the index of its tool. */
type KeptOperation = Omit<StoredOperation, 'toolId' | 'organizationId' | 'position'> & { tool: number };

const ROWS_AT_ONCE = 100;

/**
 * Gives an agent tools from an export file. A tool that had a secret, or needs one, is paused until it is given again.
 * A built-in tool does what it does here, whatever the file says. Errors: 402 by the plan.
 */
export function toolRestorer(deps: Pick<Deps, 'config'>) {
  return async (
    tx: Tx,
    { organizationId, id: agentId }: Agent,
    tools: KeptTool[],
    operations: AsyncIterable<KeptOperation>,
  ): Promise<void> => {
    // Tools created at the same moment are listed by ID.
    const ids = tools.map(() => newId('tool')).toSorted();
    for (const [place, { hasSecret, ...kept }] of tools.entries()) {
      await requireRoom(deps, tx, organizationId, agentId);
      const status = hasSecret || needsSecret(kept.authentication) ? 'paused' : kept.status;
      await store.insertTool(tx, { ...kept, status, id: ids[place] as string, organizationId, agentId });
    }
    const chosen = tools.map(() => new Map<string, KeptOperation>());
    let rows: StoredOperation[] = [];
    let position = 0;
    for await (const operation of operations) {
      const { tool: place, ...kept } = operation;
      if (tools[place]?.kind === 'builtin') chosen[place]?.set(kept.id, operation);
      else rows.push({ ...kept, toolId: ids[place] as string, organizationId, position: position++ });
      if (rows.length < ROWS_AT_ONCE) continue;
      await store.insertOperations(tx, rows);
      rows = [];
    }
    const ofBuiltins = tools.flatMap(({ kind }, place) =>
      kind === 'builtin'
        ? ownOperations({ toolId: ids[place] as string, organizationId }, chosen[place])
        : [],
    );
    await store.insertOperations(tx, [...rows, ...ofBuiltins]);
  };
}

/** This installation's operations, with the file's choices for them. */
function ownOperations(
  key: Pick<StoredOperation, 'toolId' | 'organizationId'>,
  chosen: ReadonlyMap<string, KeptOperation> | undefined,
): StoredOperation[] {
  return builtinOperations.map((operation, position) => {
    const {
      enabled = false,
      policy = usualPolicy(operation.method),
      fixture = null,
    } = chosen?.get(operation.id) ?? {};
    return { ...operation, ...key, position, enabled, policy, fixture };
  });
}
