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
  /** As it was typed. */
  name: string;
  caller: MemberCaller;
  context: Pick<RequestContext, 'address'>;
}

/**
 * Moves a locked agent to another organization, for which the transaction speaks from then on; both are told by their
 * audit log. The caller manages the organization that it is in.
 * Errors: 400 when the name is not its own, 402 when the other organization has no room for it, 409 when it has a file in
 * common with another agent or people pay for it at each renewal, and those of the other organization.
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
  // What was to be read and said under the old organization's name is not found there any more.
  const moved = { organizationId: toOrganizationId, agentId };
  for (const knowledgeId of unread) await jobs.enqueue(tx, 'knowledge.process', { ...moved, knowledgeId });
  await answerWaiting(tx, jobs, moved);
  await sayWaiting(tx, jobs, moved);
  await sendPending(tx, jobs, moved);
  await relayWritten(tx, jobs, { ...moved, afterSeconds: config.inboxRelayAfterSeconds });
}

/** For an agent that is there now, with what it knows, sells and calls. Errors: 402; then the transaction must not be committed. */
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

/** Errors: 404 for who is no member of that organization, 403 for who does not manage it. */
async function requireManager(tx: Tx, organizationId: string, caller: MemberCaller): Promise<void> {
  const standing = await standingOf(tx, organizationId, caller);
  if (!standing) throw notFound();
  if (!may(standing.role, 'organization.manage')) throw new AppError('auth/forbidden');
}
