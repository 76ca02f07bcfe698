import type { Agent } from '../../access/gate.ts';

/** What every statement in this feature specifies, on top of row-level security. */
export interface AgentKey {
  organizationId: string;
  agentId: string;
}

export const keyOf = ({ id: agentId, organizationId }: Agent): AgentKey => ({ organizationId, agentId });
