import type { Deps } from '../deps.ts';

/**
 * Run after a membership change has been committed: notifies the user, removes them from rooms they may no longer see,
 * and makes sure no key that ended with the change is treated as valid.
 */
export async function membershipChanged(
  { apiKeys, realtime }: Pick<Deps, 'apiKeys' | 'realtime'>,
  organizationId: string,
  userId: string,
): Promise<void> {
  apiKeys.forget(organizationId);
  await realtime.membershipChanged(organizationId, userId);
}
