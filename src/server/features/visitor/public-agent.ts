import type { PublicAgent } from '../../../contract/chatbot.ts';
import { organizationOf } from '../../access/gate.ts';
import { publicAgentOf } from '../../access/present-agent.ts';
import { AppError } from '../../app-error.ts';
import type { Database } from '../../db/scope.ts';
import { findAgent } from './store.ts';

/**
 * By ID or handle: the public facts of an agent, and the sites that may show it, none: all; undefined if it is private
 * or unknown.
 */
export async function findPublicAgent(
  db: Database,
  idOrHandle: string,
): Promise<{ agent: PublicAgent; sites: readonly string[] } | undefined> {
  if (!/^[\w-]{1,64}$/.test(idOrHandle)) return undefined;
  const kind = idOrHandle.startsWith('agt_') ? 'agent' : 'handle';
  const organizationId = await organizationOf(db, kind, idOrHandle).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
  if (organizationId === undefined) return undefined;
  const found = await db.in({ organizationId }, (tx) => findAgent(tx, organizationId, idOrHandle));
  return found?.isPublic ? { agent: publicAgentOf(found), sites: found.allowedOrigins } : undefined;
}
