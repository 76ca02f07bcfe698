import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { TOOL_ACCOUNTS_SHOWN, TOOL_LOGIN_LIFETIME_MINUTES } from '../../../../contract/limits.ts';
import { agent, tool, toolAccount, toolLogin } from '../../../db/schema/index.ts';
import type { Tx } from '../../../db/scope.ts';

export type StoredAccount = typeof toolAccount.$inferSelect;
export type NewLogin = Omit<typeof toolLogin.$inferInsert, 'expiresAt'>;

/** Whose account, at which tool. */
export interface AccountKey {
  organizationId: string;
  toolId: string;
  userId: string;
}

const isAccount = ({ organizationId, toolId, userId }: AccountKey) =>
  and(
    eq(toolAccount.organizationId, organizationId),
    eq(toolAccount.toolId, toolId),
    eq(toolAccount.userId, userId),
  );

/** With `lock`, nobody else reads it with a lock until the transaction ends. */
export async function findAccount(
  tx: Tx,
  key: AccountKey,
  { lock = false } = {},
): Promise<StoredAccount | undefined> {
  const query = tx.select().from(toolAccount).where(isAccount(key));
  const [found] = await (lock ? query.for('update') : query);
  return found;
}

/** Replaces the previous one, if any. */
export async function putAccount(
  tx: Tx,
  values: Pick<StoredAccount, 'id' | 'organizationId' | 'toolId' | 'userId' | 'tokens'>,
): Promise<void> {
  await deleteAccount(tx, values);
  await tx.insert(toolAccount).values(values);
}

export async function updateTokens(tx: Tx, key: AccountKey, tokens: string): Promise<void> {
  await tx
    .update(toolAccount)
    .set({ tokens, updatedAt: sql`now()` })
    .where(isAccount(key));
}

export async function deleteAccount(tx: Tx, key: AccountKey): Promise<void> {
  await tx.delete(toolAccount).where(isAccount(key));
}

/** Everyone's accounts at this tool. */
export async function deleteAccountsOf(
  tx: Tx,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<void> {
  await tx
    .delete(toolAccount)
    .where(and(eq(toolAccount.organizationId, organizationId), eq(toolAccount.toolId, id)));
}

/** A person's own accounts in every organization, newest first; in that person's transaction. */
export async function listOwnAccounts(tx: Tx, userId: string): Promise<StoredAccount[]> {
  return tx
    .select()
    .from(toolAccount)
    .where(eq(toolAccount.userId, userId))
    .orderBy(desc(toolAccount.createdAt))
    .limit(TOOL_ACCOUNTS_SHOWN);
}

export async function findTool(
  tx: Tx,
  { organizationId, toolId }: Omit<AccountKey, 'userId'>,
): Promise<typeof tool.$inferSelect | undefined> {
  const [found] = await tx
    .select()
    .from(tool)
    .where(and(eq(tool.id, toolId), eq(tool.organizationId, organizationId)));
  return found;
}

/** Names what these accounts are for. */
export async function namesOfTool(tx: Tx, { organizationId, toolId }: Omit<AccountKey, 'userId'>) {
  const [found] = await tx
    .select({
      tool: tool.name,
      authentication: tool.authentication,
      agentId: agent.id,
      agentName: agent.name,
    })
    .from(tool)
    .innerJoin(agent, and(eq(agent.id, tool.agentId), eq(agent.organizationId, tool.organizationId)))
    .where(and(eq(tool.id, toolId), eq(tool.organizationId, organizationId)));
  return found;
}

/** Each new login clears away expired ones. */
export async function insertLogin(tx: Tx, login: NewLogin): Promise<void> {
  await tx
    .delete(toolLogin)
    .where(and(eq(toolLogin.organizationId, login.organizationId), lt(toolLogin.expiresAt, sql`now()`)));
  const expiresAt = sql`now() + make_interval(mins => ${TOOL_LOGIN_LIFETIME_MINUTES})` as never;
  await tx.insert(toolLogin).values({ ...login, expiresAt });
}

/** Which login, and whose. */
type TakenLogin = Omit<NewLogin, 'codeVerifier' | 'callId'> & { callId: string | null };

/** Takes the login that this person began for this call, once: of concurrent attempts one succeeds. */
export async function takeLogin(
  tx: Tx,
  { organizationId, stateHash, toolId, callId, userId }: TakenLogin,
): Promise<typeof toolLogin.$inferSelect | undefined> {
  const [login] = await tx
    .delete(toolLogin)
    .where(
      and(
        eq(toolLogin.organizationId, organizationId),
        eq(toolLogin.stateHash, stateHash),
        eq(toolLogin.toolId, toolId),
        callId === null ? isNull(toolLogin.callId) : eq(toolLogin.callId, callId),
        eq(toolLogin.userId, userId),
        gt(toolLogin.expiresAt, sql`now()`),
      ),
    )
    .returning();
  return login;
}
