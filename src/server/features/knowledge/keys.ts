/** What every statement of this area names, beside what row-level security keeps apart anyway. */
export interface AgentKey {
  organizationId: string;
  agentId: string;
}

export interface ItemKey extends AgentKey {
  knowledgeId: string;
}
