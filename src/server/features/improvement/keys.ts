import type { Agent } from '../../access/gate.ts';

/** What every statement of this area names, beside what row-level security keeps apart anyway. */
export interface AgentKey {
  organizationId: string;
  agentId: string;
}

export const keyOf = ({ id: agentId, organizationId }: Agent): AgentKey => ({ organizationId, agentId });
