import type * as z from 'zod';
import { onboardingEvents, type Onboarding } from '../../../contract/user.ts';
import type { Database } from '../../db/scope.ts';
import { listOfUser } from '../organization/store.ts';
import * as store from './store.ts';

type Event = (typeof onboardingEvents)[number];

/**
 * A person's progress through the first steps: what exists by now counts, whoever in the organization made it, along
 * with what they told us.
 */
export async function onboardingOf(db: Database, userId: string): Promise<z.infer<typeof Onboarding>> {
  const { done, organizations } = await db.in({ userId }, async (tx) => {
    const organizations = await listOfUser(tx, userId);
    const done = new Set<Event>(await store.listOnboardingEvents(tx, userId));
    if (organizations.length > 0) done.add('organization-created');
    if (await store.hasConversation(tx, userId)) done.add('asked');
    return { done, organizations };
  });
  for (const { id: organizationId } of organizations) {
    const found = await db.in({ organizationId, userId }, (tx) => store.findFirstSteps(tx, organizationId));
    if (found.agent) done.add('agent-created');
    if (found.knowledge) done.add('knowledge-added');
    if (found.company) done.add('invited');
  }
  const steps = onboardingEvents
    .filter((event) => event !== 'dismissed')
    .map((event) => ({ event, done: done.has(event) }));
  return { steps, dismissed: done.has('dismissed') };
}
