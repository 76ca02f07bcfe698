import { eq, sql, type SQL } from 'drizzle-orm';
import { countables, planNames, type Countable, type Plan, type PlanType } from '../../contract/plans.ts';
import { AppError } from '../app-error.ts';
import type { Config } from '../config/config.ts';
import { organization } from '../db/schema/index.ts';
import type { Tx } from '../db/scope.ts';
import { noteUsed } from './usage-alerts.ts';

/** The numbers of a plan that can be exceeded. */
export type Limit = { [Name in keyof Plan]: Plan[Name] extends number ? Name : never }[keyof Plan];

type Billing = Pick<Config, 'billing'>;

/**
 * How many an organization has of each. An agent in the trash doesn't count as an agent and sells nothing, but its
 * bytes are stored. When a text is being reread to replace another, only the new one counts. An upload counts from its
 * start, at its declared size.
 */
const counts: Record<Countable, (organizationId: string) => SQL> = {
  agents: (id) => sql`(select count(*) from agent where organization_id = ${id} and deleted_at is null)`,
  members: (id) => sql`(select count(*) from member where organization_id = ${id})`,
  teams: (id) => sql`(select count(*) from team where organization_id = ${id})`,
  knowledgeBytes: (id) => sql`(
    select coalesce(sum(octet_length(s.text)), 0) from source s
     where s.organization_id = ${id} and s.retired_in is null and not exists (
       select 1 from source n where n.organization_id = ${id} and n.knowledge_id = s.knowledge_id
          and n.retired_in is null and n.revision > s.revision and n.text is not null
          and coalesce(n.url, n.file_id, n.kind) = coalesce(s.url, s.file_id, s.kind)))`,
  storedBytes: (id) => sql`(
    (select coalesce(sum(size_bytes), 0) from file where organization_id = ${id})
    + (select coalesce(sum(size_bytes), 0) from upload
        where organization_id = ${id} and file_id is null)
    + (select coalesce(sum(bytes), 0) from attachment where organization_id = ${id}))`,
  products: (id) => sql`(
    select count(*) from product p join agent a on a.id = p.agent_id and a.organization_id = p.organization_id
     where p.organization_id = ${id} and p.state <> 'archived' and a.deleted_at is null)`,
};

/** Current counts of these kinds. */
export async function countUsed<Kind extends Countable>(
  tx: Tx,
  organizationId: string,
  kinds: readonly Kind[],
): Promise<Record<Kind, number>> {
  const columns = kinds.map(
    (kind) => sql`${counts[kind](organizationId)}::float8 as ${sql.identifier(kind)}`,
  );
  const { rows } = await tx.execute(sql`select ${sql.join(columns, sql`, `)}`);
  return rows[0] as Record<Kind, number>;
}

/**
 * Until the transaction ends, nobody else can use up this organization's plan. To avoid deadlocks, lock agents, items
 * and conversations before it, and anything that hangs on the organization itself after it. Returns the plan.
 */
export async function lockPlan(tx: Tx, organizationId: string): Promise<PlanType> {
  const [found] = await tx
    .select({ planType: organization.planType })
    .from(organization)
    .where(eq(organization.id, organizationId))
    .for('no key update');
  return found?.planType ?? 'FREE_PLAN';
}

/**
 * There is room for `more` of these, and nobody else takes it before the transaction ends: exact across all processes.
 * Errors: 402 `quota/exceeded`, with a message that says what is full.
 */
export async function requireRoom(
  tx: Tx,
  config: Billing,
  organizationId: string,
  kind: Countable,
  more = 1,
): Promise<void> {
  if (config.billing.mode === 'off' || more <= 0) return;
  const planType = await lockPlan(tx, organizationId);
  const { [kind]: used } = await countUsed(tx, organizationId, [kind]);
  requireWithin(config, planType, kind, used + more);
  const limit = config.billing.plans[planType][kind];
  await noteUsed(tx, { organizationId, kind, limit, before: used, used: used + more });
}

/** The same for something taken later or never, such as a place for an invitee: owners aren't notified of the usage. */
export async function requireRoomLater(
  tx: Tx,
  config: Billing,
  organizationId: string,
  kind: Countable,
): Promise<void> {
  if (config.billing.mode === 'off') return;
  const planType = await lockPlan(tx, organizationId);
  const { [kind]: used } = await countUsed(tx, organizationId, [kind]);
  requireWithin(config, planType, kind, used + 1);
}

/**
 * The same after the fact, if the number isn't known beforehand. Errors: 402 when there are now more than the plan
 * allows; the transaction must then not be committed.
 */
export async function requireKept(
  tx: Tx,
  config: Billing,
  organizationId: string,
  kinds: readonly Countable[],
): Promise<void> {
  if (config.billing.mode === 'off') return;
  const planType = await lockPlan(tx, organizationId);
  const used = await countUsed(tx, organizationId, kinds);
  for (const kind of kinds) {
    requireWithin(config, planType, kind, used[kind]);
    const limit = config.billing.plans[planType][kind];
    await noteUsed(tx, { organizationId, kind, limit, before: 0, used: used[kind] });
  }
}

/** For things counted in another way. Errors: 402 when the plan allows fewer. */
export function requireWithin({ billing }: Billing, planType: PlanType, limit: Limit, wanted: number): void {
  if (billing.mode === 'off' || wanted <= billing.plans[planType][limit]) return;
  throw new AppError('quota/exceeded', fullMessage(planType, limit, billing.plans[planType][limit]));
}

/** An organization's plan. Undefined: nothing is limited. */
export async function planOf(
  tx: Tx,
  { billing }: Billing,
  organizationId: string,
): Promise<{ planType: PlanType; plan: Plan } | undefined> {
  if (billing.mode === 'off') return undefined;
  const [found] = await tx
    .select({ planType: organization.planType })
    .from(organization)
    .where(eq(organization.id, organizationId));
  const planType = found?.planType ?? 'FREE_PLAN';
  return { planType, plan: billing.plans[planType] };
}

const inWords: Record<Limit, (limit: number) => string> = {
  priceUsdAMonth: (limit) => `costs ${limit} USD a month`,
  creditsAMonth: (limit) => `has ${limit} credits a month`,
  agents: (limit) => `has room for ${limit} ${limit === 1 ? 'agent' : 'agents'}`,
  members: (limit) => `has room for ${limit} ${limit === 1 ? 'member' : 'members'}`,
  teams: (limit) => `has room for ${limit} ${limit === 1 ? 'team' : 'teams'}`,
  knowledgeBytes: (limit) => `has room for ${sizeOf(limit)} of knowledge text`,
  storedBytes: (limit) => `has room for ${sizeOf(limit)} of stored files`,
  products: (limit) => `has room for ${limit} ${limit === 1 ? 'product' : 'products'}`,
  crawlPages: (limit) => `reads ${limit} pages per website`,
  largestFileBytes: (limit) => `accepts files of up to ${sizeOf(limit)}`,
  toolsAnAgent: (limit) => `has ${limit} tools per agent`,
  insightDays: (limit) => `shows ${limit} days of insights`,
  requestsAMinute: (limit) => `allows ${limit} API requests per minute`,
};

function fullMessage(planType: PlanType, limit: Limit, number: number): string {
  const isOfThings = limit === 'toolsAnAgent' || countables.some((countable) => countable === limit);
  const what = isOfThings ? 'Remove something or choose a larger plan.' : 'A larger plan has more.';
  return `The ${planNames[planType]} plan ${inWords[limit](number)}. ${what}`;
}

/** A plan's byte limit in words: `250 MB`. */
export function sizeOf(bytes: number): string {
  const [unit, name] = bytes >= 1e9 ? [1e9, 'GB'] : [1e6, 'MB'];
  return `${Math.round((bytes / unit) * 100) / 100} ${name}`;
}
