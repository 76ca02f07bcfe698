import type { Filled } from './shape.ts';

/**
 * Whom a transaction acts for. Without an organization, no organization's rows can be read or written; with only a
 * user, only that user's own memberships, organizations and conversations can be read.
 */
export interface Scope {
  organizationId?: string;
  /** Instead of an organization: that of this conversation; none if it doesn't exist. */
  conversationId?: string;
  userId?: string;
}

/** The statement that starts it: its settings end with the transaction. `also`: further expressions for it to evaluate. */
export function settings(scope: Scope, ...also: string[]): Filled {
  const { organizationId = '', conversationId, userId = '' } = scope;
  const organization = conversationId === undefined ? '$1' : `coalesce(organization_of_conversation($1), '')`;
  const set = `set_config('parley.organization', ${organization}, true), set_config('parley.user', $2, true)`;
  return {
    text: `select ${[set, ...also].join(', ')}`,
    values: [conversationId ?? organizationId, userId],
  };
}
