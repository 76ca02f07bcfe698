import { and, eq, isNull, sql } from 'drizzle-orm';
import { may, type Permission } from '../../contract/access.ts';
import { AppError, noAgent, notFound } from '../app-error.ts';
import type { Caller, MemberCaller, VisitorCaller } from '../call.ts';
import { agent, organization } from '../db/schema/index.ts';
import type { Database, Tx } from '../db/scope.ts';
import { isAllowedSite } from './sites.ts';
import { standingOf, type Standing } from './standing.ts';

export type Agent = typeof agent.$inferSelect;

/**
 * The one door to an organization's data: a transaction scoped to it, for a caller whose role there allows
 * `permission`. The role is read in that transaction, so a role change applies from the next request. Errors: 404 for a
 * non-member, as if the organization didn't exist; 403 when the role is too low.
 */
export async function inOrganization<T>(
  db: Pick<Database, 'in'>,
  caller: MemberCaller,
  organizationId: string,
  permission: Permission,
  work: (tx: Tx, standing: Standing) => Promise<T>,
  unseen = notFound,
): Promise<T> {
  return db.in(scopeOf(caller, organizationId), async (tx) =>
    work(tx, await requireStanding(tx, caller, organizationId, permission, unseen)),
  );
}

/**
 * The same, but one transaction of this kind at a time per organization: for invariants across all its members, such as
 * that one of them is an owner. Members, teams and roles that `work` reads can't change until it is done.
 */
export async function inOrganizationAlone<T>(
  db: Pick<Database, 'in'>,
  caller: MemberCaller,
  organizationId: string,
  permission: Permission,
  work: (tx: Tx, standing: Standing) => Promise<T>,
): Promise<T> {
  return db.in(scopeOf(caller, organizationId), async (tx) => {
    await requireStanding(tx, caller, organizationId, permission);
    // Not `for update`: rows that only reference the organization can be written meanwhile.
    await tx
      .select({ id: organization.id })
      .from(organization)
      .where(eq(organization.id, organizationId))
      .for('no key update');
    // Read again: the previous transaction may have changed it.
    return work(tx, await requireStanding(tx, caller, organizationId, permission));
  });
}

/**
 * The same for calls that name an agent: its organization is looked up, and the agent is passed to `work`. Calls that
 * name something else within the agent supply the error for it (`unseen`), or they would reveal that it exists.
 */
export async function inAgent<T>(
  db: Database,
  caller: MemberCaller,
  agentId: string,
  permission: Permission,
  work: (tx: Tx, agent: Agent, standing: Standing) => Promise<T>,
  unseen = noAgent,
): Promise<T> {
  const organizationId = await organizationOf(db, 'agent', agentId);
  const seen = async (tx: Tx, standing: Standing) => {
    const found = await findSeen(tx, organizationId, agentId, standing);
    if (!found) throw unseen();
    return work(tx, found, standing);
  };
  return inOrganization(db, caller, organizationId, permission, seen, unseen);
}

/** Everyone may see a public agent; a private one only those who see it in its organization, and holders of its key. */
export async function maySee(tx: Tx, agent: Agent, caller: Caller): Promise<boolean> {
  if (caller.kind === 'visitor') return caller.agentId === agent.id && (agent.isPublic || caller.byKey);
  return agent.isPublic || isMemberWhoSees(tx, agent, caller);
}

/**
 * For callers who may chat with the agent: they may see it and, if it has a list of sites, are a visitor on one of them
 * or a member of its organization. Errors: 404 if they may not see it, 403 if it isn't for where they are.
 */
export async function requireChat(tx: Tx, agent: Agent, caller: Caller): Promise<void> {
  if (!(await maySee(tx, agent, caller))) throw noAgent();
  if (caller.kind === 'visitor') return requireSite(agent, caller);
  if (agent.allowedOrigins.length === 0) return;
  if (!(await isMemberWhoSees(tx, agent, caller))) throw new AppError('visitor/origin-not-allowed');
}

/** Checked with every message, so that removing a site from the list takes effect at once. */
function requireSite(agent: Agent, { site, byKey }: Pick<VisitorCaller, 'site' | 'byKey'>): void {
  if (!byKey && !isAllowedSite(agent.allowedOrigins, site)) throw new AppError('visitor/origin-not-allowed');
}

/** Someone whose role in the agent's organization lets them see it. */
export async function isMemberWhoSees(tx: Tx, agent: Agent, caller: Caller): Promise<boolean> {
  if (caller.kind === 'anonymous' || caller.kind === 'visitor') return false;
  const standing = await standingOf(tx, agent.organizationId, caller);
  if (!standing || !may(standing.role, 'agent.read')) return false;
  return (await findSeen(tx, agent.organizationId, agent.id, standing)) !== undefined;
}

async function requireStanding(
  tx: Tx,
  caller: MemberCaller,
  organizationId: string,
  permission: Permission,
  unseen = notFound,
): Promise<Standing> {
  const standing = await standingOf(tx, organizationId, caller);
  if (!standing) throw unseen();
  if (!may(standing.role, permission)) throw new AppError('auth/forbidden');
  return standing;
}

async function findSeen(
  tx: Tx,
  organizationId: string,
  agentId: string,
  { agents }: Standing,
): Promise<Agent | undefined> {
  const isIt = and(eq(agent.id, agentId), eq(agent.organizationId, organizationId));
  const [found] = await tx
    .select()
    .from(agent)
    .where(and(isIt, isNull(agent.deletedAt), agents));
  return found;
}

function scopeOf(caller: MemberCaller, organizationId: string) {
  return caller.kind === 'key' ? { organizationId } : { organizationId, userId: caller.userId };
}

const lookups = {
  agent: (id: string) => sql`select organization_of_agent(${id}) as id`,
  handle: (id: string) => sql`select organization_of_handle(${id}) as id`,
  team: (id: string) => sql`select organization_of_team(${id}) as id`,
  member: (id: string) => sql`select organization_of_member(${id}) as id`,
  invite: (id: string) => sql`select organization_of_invite(${id}) as id`,
  inviteToken: (hash: string) => sql`select organization_of_invite_token(${hash}) as id`,
  upload: (id: string) => sql`select organization_of_upload(${id}) as id`,
  apiKey: (id: string) => sql`select organization_of_api_key(${id}) as id`,
  apiKeySecret: (hash: string) => sql`select organization_of_api_key_secret(${hash}) as id`,
  agentKey: (hash: string) => sql`select organization_of_agent_key(${hash}) as id`,
  chatLink: (id: string) => sql`select organization_of_chat_link(${id}) as id`,
  insightLink: (tokenHash: string) => sql`select organization_of_insight_link(${tokenHash}) as id`,
  plugin: (id: string) => sql`select organization_of_plugin(${id}) as id`,
  conversation: (id: string) => sql`select organization_of_conversation(${id}) as id`,
  storefront: (id: string) => sql`select organization_of_storefront(${id}) as id`,
  tool: (id: string) => sql`select organization_of_tool(${id}) as id`,
  product: (id: string) => sql`select organization_of_product(${id}) as id`,
  purchase: (id: string) => sql`select organization_of_purchase(${id}) as id`,
  pluginLogin: (stateHash: string) => sql`select organization_of_plugin_login(${stateHash}) as id`,
};

/** The organization that an object belongs to; 404 if it doesn't exist or is deleted. Says nothing about who may see it. */
export async function organizationOf(db: Database, kind: keyof typeof lookups, id: string): Promise<string> {
  const { rows } = await db.unscoped.execute<{ id: string | null }>(lookups[kind](id));
  const organizationId = rows[0]?.id;
  if (!organizationId) throw kind === 'agent' || kind === 'handle' ? noAgent() : notFound();
  return organizationId;
}
