import type { Filled } from './shape.ts';

/**
 * For whom a transaction speaks. Without an organization no row of any organization can be read or written; with a
 * user alone, only that user's own memberships, organizations and conversations can be read.
 */
export interface Scope {
  organizationId?: string;
  /** In place of an organization: that of this conversation; none when it does not exist. */
  conversationId?: string;
  userId?: string;
}

/** The statement that begins it: what it sets ends with the transaction. `also`: what else it is to work out. */
export function settings(scope: Scope, ...also: string[]): Filled {
  const { organizationId = '', conversationId, userId = '' } = scope;
  const organization = conversationId === undefined ? '$1' : `coalesce(organization_of_conversation($1), '')`;
  const set = `set_config('parley.organization', ${organization}, true), set_config('parley.user', $2, true)`;
  return {
    text: `select ${[set, ...also].join(', ')}`,
    values: [conversationId ?? organizationId, userId],
  };
}
