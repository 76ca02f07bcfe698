import { and, asc, count, eq, gt, isNull, lt, sql, type SQL } from 'drizzle-orm';
import { PLUGIN_LOGIN_LIFETIME_MINUTES } from '../../../contract/limits.ts';
import { agent, plugin, pluginLogin } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';

export type StoredPlugin = typeof plugin.$inferSelect;
export type PluginChanges = {
  [Field in 'settingsData' | 'status' | 'credentials' | 'accountName' | 'asked' | 'askAt']?:
    | StoredPlugin[Field]
    | undefined;
};

/** Messages from before this change aren't polled. */
export const fromNowOn = { asked: null, askAt: new Date(0) } satisfies PluginChanges;

/** Oldest first. */
export async function listPlugins(tx: Tx, organizationId: string, agentId: string): Promise<StoredPlugin[]> {
  return tx
    .select()
    .from(plugin)
    .where(and(eq(plugin.organizationId, organizationId), eq(plugin.agentId, agentId)))
    .orderBy(asc(plugin.createdAt), asc(plugin.id));
}

/** Concurrent counts for this agent wait until this transaction ends, so that the number stays correct. */
export async function countPlugins(tx: Tx, organizationId: string, agentId: string): Promise<number> {
  await tx
    .select({ id: agent.id })
    .from(agent)
    .where(and(eq(agent.organizationId, organizationId), eq(agent.id, agentId)))
    .for('no key update');
  const [row] = await tx
    .select({ plugins: count() })
    .from(plugin)
    .where(and(eq(plugin.organizationId, organizationId), eq(plugin.agentId, agentId)));
  return row?.plugins ?? 0;
}

/** With its agent's name. Only if the agent isn't deleted and is visible under `seen`. */
export async function findPlugin(
  tx: Tx,
  organizationId: string,
  id: string,
  seen: SQL | undefined,
): Promise<{ plugin: StoredPlugin; agentName: string } | undefined> {
  const [found] = await tx
    .select({ plugin, agentName: agent.name })
    .from(plugin)
    .innerJoin(agent, and(eq(agent.id, plugin.agentId), eq(agent.organizationId, plugin.organizationId)))
    .where(and(eq(plugin.id, id), eq(plugin.organizationId, organizationId), isNull(agent.deletedAt), seen));
  return found;
}

/** The current state; nobody else changes it until this transaction ends. */
export async function lockPlugin(
  tx: Tx,
  { organizationId, id }: Pick<StoredPlugin, 'organizationId' | 'id'>,
): Promise<StoredPlugin | undefined> {
  const [found] = await tx
    .select()
    .from(plugin)
    .where(and(eq(plugin.id, id), eq(plugin.organizationId, organizationId)))
    .for('no key update');
  return found;
}

export async function insertPlugin(
  tx: Tx,
  values: Pick<
    StoredPlugin,
    'id' | 'organizationId' | 'agentId' | 'type' | 'handle' | 'settingsData' | 'credentials'
  >,
): Promise<StoredPlugin> {
  const [made] = await tx.insert(plugin).values(values).returning();
  return made as StoredPlugin;
}

/** Undefined if it no longer exists. */
export async function updatePlugin(
  tx: Tx,
  organizationId: string,
  id: string,
  changes: PluginChanges,
): Promise<StoredPlugin | undefined> {
  const [changed] = await tx
    .update(plugin)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(and(eq(plugin.id, id), eq(plugin.organizationId, organizationId)))
    .returning();
  return changed;
}

/** The result of a check. Doesn't count as a change: whatever was opened for it stays open. */
export async function noteCheck(
  tx: Tx,
  organizationId: string,
  id: string,
  changes: Pick<StoredPlugin, 'health' | 'healthError'> & Partial<Pick<StoredPlugin, 'accountName'>>,
): Promise<StoredPlugin | undefined> {
  const [noted] = await tx
    .update(plugin)
    .set({ ...changes, checkedAt: sql`now()` })
    .where(and(eq(plugin.id, id), eq(plugin.organizationId, organizationId)))
    .returning();
  return noted;
}

export async function deletePlugin(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx.delete(plugin).where(and(eq(plugin.id, id), eq(plugin.organizationId, organizationId)));
}

export type NewLogin = Omit<typeof pluginLogin.$inferInsert, 'expiresAt' | 'usedAt'>;

/**
 * False if this ticket has already started one. Each new login clears away expired ones; they live longer than a
 * ticket, so a used ticket is remembered for as long as it would be valid.
 */
export async function insertLogin(tx: Tx, login: NewLogin): Promise<boolean> {
  await tx
    .delete(pluginLogin)
    .where(and(eq(pluginLogin.organizationId, login.organizationId), lt(pluginLogin.expiresAt, sql`now()`)));
  const expiresAt = sql`now() + make_interval(mins => ${PLUGIN_LOGIN_LIFETIME_MINUTES})` as never;
  const made = await tx
    .insert(pluginLogin)
    .values({ ...login, expiresAt })
    .onConflictDoNothing()
    .returning({ pluginId: pluginLogin.pluginId });
  return made.length > 0;
}

/** Takes the login this browser started, once: of many concurrent callers one gets it. */
export async function consumeLogin(
  tx: Tx,
  { organizationId, stateHash, browserHash }: Pick<NewLogin, 'organizationId' | 'stateHash' | 'browserHash'>,
): Promise<typeof pluginLogin.$inferSelect | undefined> {
  const [login] = await tx
    .update(pluginLogin)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(pluginLogin.organizationId, organizationId),
        eq(pluginLogin.stateHash, stateHash),
        eq(pluginLogin.browserHash, browserHash),
        isNull(pluginLogin.usedAt),
        gt(pluginLogin.expiresAt, sql`now()`),
      ),
    )
    .returning();
  return login;
}
