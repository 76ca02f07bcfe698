import type { PresentMember } from '../../../contract/events.ts';
import { isId } from '../../../contract/id-format.ts';
import { inOrganization } from '../../access/gate.ts';
import type { UserCaller } from '../../call.ts';
import type { Database } from '../../db/scope.ts';
import { findConversationOfAgent } from '../chat/store.ts';
import * as store from './store.ts';

/** The member, if they may view an organization's inbox or, if given, that conversation in it. */
export async function memberAt(
  db: Database,
  caller: UserCaller,
  { organizationId, conversationId }: { organizationId: string; conversationId: string | null },
): Promise<Omit<PresentMember, 'isWriting'> | undefined> {
  if (!isId('organization', organizationId)) return undefined;
  if (conversationId !== null && !isId('conversation', conversationId)) return undefined;
  return inOrganization(db, caller, organizationId, 'agent.read', async (tx, { agents }) => {
    if (conversationId !== null) {
      const open = await findConversationOfAgent(tx, conversationId);
      // A person can read their own conversations in any organization: only the given one counts here.
      const isThere = open?.conversation.organizationId === organizationId && !open.conversation.temporary;
      if (!isThere || !(await store.seesAgent(tx, open.agent, agents))) return undefined;
    }
    return store.findAuthor(tx, caller.userId);
  }).catch(() => undefined);
}
