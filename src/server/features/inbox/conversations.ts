import type { Permission } from '../../../contract/access.ts';
import type { InboxConversation } from '../../../contract/inbox.ts';
import { inOrganization, organizationOf } from '../../access/gate.ts';
import { notFound } from '../../app-error.ts';
import type { MemberCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { findConversationOfAgent, type ConversationKey, type StoredConversation } from '../chat/store.ts';
import { requirePossible, type People } from './people.ts';
import * as store from './store.ts';

/** What is needed from the chat, and from whatever notifies members. */
export interface Around {
  people: Pick<People, 'heard'>;
  /** Ends the agent's answer in progress. */
  silence: (tx: Tx, key: ConversationKey) => Promise<void>;
  /** Notifies the end user's own screens. */
  notify: (key: ConversationKey, userIds: string[]) => void;
}

/** Opening conversations for members. */
export function conversationsIn({ db }: Pick<Deps, 'db'>, { people, notify }: Around) {
  /**
   * For an agent the caller can see; to everyone else it doesn't exist, and neither does a conversation its end user
   * wanted to be temporary. Locked if it is to be changed.
   */
  const inOne = async <T>(
    caller: MemberCaller,
    id: string,
    permission: Permission,
    work: (tx: Tx, conversation: StoredConversation) => Promise<T>,
  ): Promise<T> => {
    const organizationId = await organizationOf(db, 'conversation', id);
    return inOrganization(db, caller, organizationId, permission, async (tx, { agents }) => {
      const lock = permission === 'agent.write';
      const open = await findConversationOfAgent(tx, id, { lock });
      const isThere = open && !open.agent.deletedAt && !open.conversation.temporary;
      if (!isThere || !(await store.seesAgent(tx, open.agent, agents))) throw notFound();
      return work(tx, open.conversation);
    });
  };

  /** The same for a change of who answers; the end user and the other members are notified. */
  const change = async (
    caller: MemberCaller,
    id: string,
    work: (tx: Tx, conversation: StoredConversation) => Promise<void>,
  ): Promise<{ conversation: InboxConversation }> => {
    const [key, changed] = await inOne(caller, id, 'agent.write', async (tx, conversation) => {
      requirePossible(conversation);
      await work(tx, conversation);
      return [conversation, await store.findInInbox(tx, conversation)] as const;
    });
    if (!changed) throw notFound();
    notify(key, [key.userId]);
    people.heard(key);
    return { conversation: changed };
  };

  return { inOne, change };
}
