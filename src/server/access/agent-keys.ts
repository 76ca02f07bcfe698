import { and, eq } from 'drizzle-orm';
import { AppError } from '../app-error.ts';
import type { VisitorCaller } from '../call.ts';
import { agentAccess } from '../db/schema/index.ts';
import type { Database, Tx } from '../db/scope.ts';
import { hashSecret } from '../identity/secrets.ts';
import { ensureNamed } from '../identity/visitor-store.ts';
import { CredentialCache } from '../identity/credential-cache.ts';
import type { ApiRequests } from './api-requests.ts';
import { organizationOf } from './gate.ts';

/** The prefix of every agent key; distinct from the prefix of an organization's key. */
export const AGENT_KEY_PREFIX = 'parleyagent_';

/** Identifies the end user a program with an agent's key speaks for. */
export const END_USER_HEADER = 'end-user';

export interface AgentKeys {
  /**
   * The end user that a program with this key speaks for, `''` for the program itself; undefined if the key doesn't
   * exist or has ended (in other processes: noticed within 3 s). Errors: 400 for an invalid name, 429 by the plan: this
   * counts as one of the organization's requests.
   */
  identify: (secret: string, endUser: string) => Promise<VisitorCaller | undefined>;
  /** From now on this process rejects this agent's ended key. */
  forget: (agentId: string) => void;
}

export function createAgentKeys(db: Database, requests: ApiRequests): AgentKeys {
  const keys = new CredentialCache<AgentKey>();
  const seen = new CredentialCache<VisitorCaller>();
  return {
    identify: async (secret, endUser) => {
      if (!/^[\x21-\x7e]{0,255}$/.test(endUser))
        throw new AppError('request/invalid', 'End-User must have at most 255 visible ASCII characters.');
      const keyHash = hashSecret(secret);
      const key = await keys.find(keyHash, () => findKey(db, keyHash));
      if (!key) return undefined;
      // Before anyone is recorded: a rejected request leaves nobody behind.
      await requests.take(key.organizationId);
      return seen.find(`${keyHash} ${endUser}`, () => findCaller(db, key, endUser));
    },
    forget: (agentId) => {
      keys.forget((key) => key.agentId === agentId);
      seen.forget((caller) => caller.agentId === agentId);
    },
  };
}

interface AgentKey {
  keyHash: string;
  organizationId: string;
  agentId: string;
}

async function findKey(db: Database, keyHash: string): Promise<AgentKey | undefined> {
  const organizationId = await organizationOf(db, 'agentKey', keyHash).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
  if (organizationId === undefined) return undefined;
  return db.in({ organizationId }, (tx) => findIn(tx, organizationId, keyHash));
}

async function findIn(tx: Tx, organizationId: string, keyHash: string): Promise<AgentKey | undefined> {
  const [key] = await tx
    .select({ agentId: agentAccess.agentId })
    .from(agentAccess)
    .where(and(eq(agentAccess.organizationId, organizationId), eq(agentAccess.apiKeyHash, keyHash)));
  return key && { keyHash, organizationId, agentId: key.agentId };
}

/** Undefined if the key has ended in the meantime. */
async function findCaller(
  db: Database,
  { keyHash, organizationId }: AgentKey,
  endUser: string,
): Promise<VisitorCaller | undefined> {
  return db.in({ organizationId }, async (tx) => {
    const key = await findIn(tx, organizationId, keyHash);
    if (!key) return undefined;
    const { agentId } = key;
    const { id: visitorId, userId } = await ensureNamed(tx, { organizationId, agentId }, endUser);
    const who = { visitorId, userId, organizationId, agentId };
    return { kind: 'visitor', ...who, site: undefined, isNamed: true, byKey: true };
  });
}
