import type { Config } from '../config/config.ts';
import type { Database } from '../db/scope.ts';
import { createAgentKeys, type AgentKeys } from './agent-keys.ts';
import { createApiKeys, type ApiKeys } from './api-keys.ts';
import { createApiRequests } from './api-requests.ts';

/** Programs' keys. The requests of all an organization's keys count together. */
export function createKeys(
  db: Database,
  config: Pick<Config, 'billing'>,
): { apiKeys: ApiKeys; agentKeys: AgentKeys } {
  const requests = createApiRequests(db, config);
  return { apiKeys: createApiKeys(db, requests), agentKeys: createAgentKeys(db, requests) };
}
