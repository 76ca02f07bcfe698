import { organizationOf } from '../../access/gate.ts';
import { AppError } from '../../app-error.ts';
import type { Database } from '../../db/scope.ts';
import { findAgent } from './store.ts';

/** The sites that may show a public agent, by its id or handle, none: all; undefined when it is private or unknown. */
export async function sitesOf(db: Database, idOrHandle: string): Promise<readonly string[] | undefined> {
  if (!/^[\w-]{1,64}$/.test(idOrHandle)) return undefined;
  const kind = idOrHandle.startsWith('agt_') ? 'agent' : 'handle';
  const organizationId = await organizationOf(db, kind, idOrHandle).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
  if (organizationId === undefined) return undefined;
  const agent = await db.in({ organizationId }, (tx) => findAgent(tx, organizationId, idOrHandle));
  return agent?.isPublic ? agent.allowedOrigins : undefined;
}
