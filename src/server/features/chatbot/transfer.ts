import { may } from '../../../contract/access.ts';
import type { Countable } from '../../../contract/plans.ts';
import { isTypedAs } from '../../../contract/typed-name.ts';
import type { Agent } from '../../access/gate.ts';
import { requireKept, requireWithin } from '../../access/quota.ts';
import { standingOf } from '../../access/standing.ts';
import { AppError, invalidField, notFound } from '../../app-error.ts';
import type { MemberCaller, RequestContext } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/store.ts';
import { answerWaiting, sayWaiting } from '../channel/store.ts';
import { relayWritten } from '../inbox/store.ts';
import { hasProducts, hasSubscribers } from '../product/store.ts';
import { countTools } from '../tool/store.ts';
import { sendPending } from '../webhook/store.ts';
import * as keeping from './keeping-store.ts';

export interface Transfer {
  toOrganizationId: string;
  /** As typed. */
  name: string;
  caller: MemberCaller;
  context: Pick<RequestContext, 'address'>;
}

/**
 * Moves a locked agent to another organization, which the transaction acts for from then on; both record it in their
 * audit log. The caller manages its current organization. Errors: 400 if the name isn't its own, 402 if the other
 * organization has no room for it, 409 if it shares a file with another agent or people pay recurring fees for it, and
 * those of the other organization.
 */
export async function transferAgent(
  tx: Tx,
  { config, jobs }: Pick<Deps, 'config' | 'jobs'>,
  agent: Agent,
  { toOrganizationId, name, caller, context }: Transfer,
): Promise<void> {
  const { id: agentId, organizationId } = agent;
  await requireManager(tx, toOrganizationId, caller);
  if (!isTypedAs(name, agent.name)) throw invalidField('name', 'Type the agent’s name.');
  if (toOrganizationId === organizationId)
    throw invalidField('toOrganizationId', 'The agent is already there.');
  if (await keeping.sharesFiles(tx, agent))
    throw new AppError('resource/conflict', 'Another agent uses one of its files too.');
  if (await hasSubscribers(tx, organizationId, agentId))
    throw new AppError(
      'resource/conflict',
      'People have subscriptions to it that are paid to this organization.',
    );
  const change = {
    action: 'agentKeeping.transfer',
    target: agent,
    before: { organization: organizationId },
    after: { organization: toOrganizationId },
  } as const;
  await recordAudit(tx, caller, context, { ...change, organizationId });
  const unread = await keeping.moveAgent(tx, agent, toOrganizationId);
  await requireRoomFor(tx, config, toOrganizationId, agentId);
  await recordAudit(tx, caller, context, { ...change, organizationId: toOrganizationId });
  // Pending reads and messages are no longer found under the old organization.
  const moved = { organizationId: toOrganizationId, agentId };
  for (const knowledgeId of unread) await jobs.enqueue(tx, 'knowledge.process', { ...moved, knowledgeId });
  await answerWaiting(tx, jobs, moved);
  await sayWaiting(tx, jobs, moved);
  await sendPending(tx, jobs, moved);
  await relayWritten(tx, jobs, { ...moved, afterSeconds: config.inboxRelayAfterSeconds });
}

/**
 * For an agent that has arrived, with what it knows, sells and calls. Errors: 402; the transaction must then not be
 * committed.
 */
async function requireRoomFor(
  tx: Tx,
  config: Deps['config'],
  organizationId: string,
  agentId: string,
): Promise<void> {
  const kinds: Countable[] = ['agents', 'knowledgeBytes', 'storedBytes'];
  if (await hasProducts(tx, organizationId, agentId)) kinds.push('products');
  await requireKept(tx, config, organizationId, kinds);
  const { tools, planType } = await countTools(tx, organizationId, agentId);
  requireWithin(config, planType, 'toolsAnAgent', tools);
  const largest = await keeping.largestFileOf(tx, organizationId, agentId);
  requireWithin(config, planType, 'largestFileBytes', largest);
}

/** Errors: 404 for a non-member of that organization, 403 for a member who doesn't manage it. */
async function requireManager(tx: Tx, organizationId: string, caller: MemberCaller): Promise<void> {
  const standing = await standingOf(tx, organizationId, caller);
  if (!standing) throw notFound();
  if (!may(standing.role, 'organization.manage')) throw new AppError('auth/forbidden');
}
