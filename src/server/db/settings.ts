import { literal } from './literal.ts';

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

/** The statement that begins it: what it sets ends with the transaction. */
export function settings({ organizationId = '', conversationId, userId = '' }: Scope): string {
  const organization =
    conversationId === undefined
      ? literal(organizationId)
      : `coalesce(organization_of_conversation(${literal(conversationId)}), '')`;
  const user = literal(userId);
  return `select set_config('parley.organization', ${organization}, true), set_config('parley.user', ${user}, true)`;
}
