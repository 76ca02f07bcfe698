/** What every statement in this feature specifies, on top of row-level security. */
export interface AgentKey {
  organizationId: string;
  agentId: string;
}

export interface ItemKey extends AgentKey {
  knowledgeId: string;
}
