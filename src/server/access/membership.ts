import type { Deps } from '../deps.ts';

/**
 * After a change of what somebody is in an organization was committed: they are told, put out of what they may not see any more, and no
 * key that ended with it is taken for alive.
 */
export async function membershipChanged(
  { apiKeys, realtime }: Pick<Deps, 'apiKeys' | 'realtime'>,
  organizationId: string,
  userId: string,
): Promise<void> {
  apiKeys.forget(organizationId);
  await realtime.membershipChanged(organizationId, userId);
}
