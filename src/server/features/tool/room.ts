import { TOOLS_PER_AGENT_MAX } from '../../../contract/limits.ts';
import { requireWithin } from '../../access/quota.ts';
import { AppError } from '../../app-error.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { countTools } from './store.ts';

/** Serializes additions, so that nobody exceeds the number of tools an agent can have. Errors: 402 by the plan, 409. */
export async function requireRoom(
  { config }: Pick<Deps, 'config'>,
  tx: Tx,
  organizationId: string,
  agentId: string,
): Promise<void> {
  const { tools, planType } = await countTools(tx, organizationId, agentId);
  requireWithin(config, planType, 'toolsAnAgent', tools + 1);
  if (tools >= TOOLS_PER_AGENT_MAX)
    throw new AppError('resource/conflict', `An agent can have at most ${TOOLS_PER_AGENT_MAX} tools.`);
}
