import { inOrganization, organizationOf } from '../../access/gate.ts';
import { notFound } from '../../app-error.ts';
import type { MemberCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { operationOf, toolOf } from './present.ts';
import * as store from './store.ts';

/** Runs work on one tool in a transaction; a caller who may change it locks it. Errors: 404 if the caller can't see it, 403. */
export function inToolOf(db: Deps['db']) {
  return async <T>(
    caller: MemberCaller,
    id: string,
    permission: 'agent.read' | 'agent.write',
    work: (tx: Tx, tool: store.StoredTool) => Promise<T>,
  ): Promise<T> => {
    const organizationId = await organizationOf(db, 'tool', id);
    return inOrganization(db, caller, organizationId, permission, async (tx, { agents }) => {
      const lock = permission === 'agent.write';
      const found = await store.findTool(tx, organizationId, id, agents, { lock });
      if (!found) throw notFound();
      return work(tx, found);
    });
  };
}

/** Whose account at a service is used; undefined for a program. */
export function personOf(caller: MemberCaller): string | undefined {
  return caller.kind === 'user' ? caller.userId : undefined;
}

export async function whole(tx: Tx, tool: store.StoredTool) {
  const operations = await store.listOperations(tx, tool);
  const enabledOperations = operations.filter(({ enabled }) => enabled).length;
  return { tool: toolOf({ ...tool, enabledOperations }), operations: operations.map(operationOf) };
}

/** Records only whether there is a secret. */
export function auditedOf({
  name,
  status,
  serverUrl,
  documentUrl,
  authentication,
  hosts,
  form,
  secret,
}: store.StoredTool) {
  return { name, status, serverUrl, documentUrl, authentication, hosts, form, hasSecret: secret !== null };
}

/** For a change, also records that the secret is new, but not the secret. */
export function auditedChange(before: store.StoredTool, after: store.StoredTool) {
  const hasNewSecret = after.secret !== null && after.secret !== before.secret;
  return {
    before: auditedOf(before),
    after: { ...auditedOf(after), ...(hasNewSecret ? { secret: 'new' } : {}) },
  };
}
