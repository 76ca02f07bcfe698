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

/** What was written before this change is not asked for. */
export const fromNowOn = { asked: null, askAt: new Date(0) } satisfies PluginChanges;

/** Oldest first. */
export async function listPlugins(tx: Tx, organizationId: string, agentId: string): Promise<StoredPlugin[]> {
  return tx
    .select()
    .from(plugin)
    .where(and(eq(plugin.organizationId, organizationId), eq(plugin.agentId, agentId)))
    .orderBy(asc(plugin.createdAt), asc(plugin.id));
}

/** Whoever counts those of this agent next waits until this transaction ends, so that the number stays true. */
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

/** With its agent's name. Only of an agent that is not deleted and that `seen` lets the reader see. */
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

/** As it is now; nobody else changes it until this transaction ends. */
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

/** Undefined when it is not there any more. */
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

/** What a look at it has shown. It is no change: what was opened for it stays open. */
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
 * False when this ticket has begun one already. Logins whose time is over are cleared away with each new one; that time is
 * longer than a ticket's, so a used ticket is known as long as it would be good.
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

/** Takes the login that this browser began, once: of many at the same moment one gets it. */
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
