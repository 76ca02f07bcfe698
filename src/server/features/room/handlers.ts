import type { room as contract } from '../../../contract/chat-link.ts';
import { ROOM_PEOPLE_MAX } from '../../../contract/limits.ts';
import { requireEntitled } from '../../access/entitlement.ts';
import { requireChat } from '../../access/gate.ts';
import { AppError, noConversation, notFound } from '../../app-error.ts';
import type { ChatCaller, Handlers } from '../../call.ts';
import { decodeCursor, readSequenceIn } from '../../cursor.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import {
  conversationOf,
  findConversation,
  insertSaid,
  listMessages,
  messageOf,
  messagePage,
  peopleOf,
  readBy,
  takeMessage,
  type ConversationKey,
  type OpenConversation,
} from '../chat/store.ts';
import { addParticipant, countPeople, removeParticipant, throughLink } from '../chat-link/store.ts';

/** Rooms: several people with an agent as host. Everyone sees messages in the same order. */
export function roomHandlers(
  deps: Deps,
  { notify }: { notify: (key: ConversationKey) => void },
): Handlers<typeof contract> {
  const { db } = deps;

  const inRoom = <T>(
    id: string,
    { userId }: ChatCaller,
    work: (tx: Tx, open: OpenConversation) => Promise<T>,
    { lock = false } = {},
  ): Promise<T> =>
    db.in({ conversationId: id, userId }, async (tx) => {
      const open = await findConversation(tx, id, userId, { lock });
      if (open?.conversation.kind !== 'game') throw noConversation();
      return work(tx, open);
    });

  return {
    join: async ({ token }, caller, { language }) => {
      const { conversation, agent } = await throughLink(deps, token, caller, async (tx, open) => {
        if (open.link.kind !== 'join') throw notFound();
        const isOpener = open.conversation.userId === caller.userId;
        if (!isOpener && (await addParticipant(tx, open.conversation, caller.userId))) {
          if ((await countPeople(tx, open.conversation)) >= ROOM_PEOPLE_MAX)
            throw new AppError('chat/room-full');
        }
        return open;
      });
      notify(conversation);
      return { conversation: conversationOf(conversation, agent, caller.userId, language()) };
    },

    listMessages: async ({ id, cursor, count, orderBy }, caller) => {
      const after = decodeCursor(cursor, readSequenceIn(orderBy));
      const found = await inRoom(id, caller, async (tx, { conversation }) => {
        const range = { count: count + 1, orderBy, after };
        const read = await listMessages(tx, conversation, caller.userId, range);
        return read.map((each) => readBy(caller.userId, conversation, each));
      });
      return messagePage(found, { count, orderBy });
    },

    say: async ({ id, text }, caller) => {
      const said = await inRoom(
        id,
        caller,
        async (tx, { conversation, agent }) => {
          await requireChat(tx, agent, caller);
          await requireEntitled(tx, agent, caller);
          await takeMessage(tx, caller, agent);
          return insertSaid(tx, conversation, { text, attachments: [], authorId: caller.userId });
        },
        { lock: true },
      );
      notify({ id, organizationId: said.organizationId });
      return { message: messageOf(said) };
    },

    people: async ({ id }, caller) =>
      inRoom(id, caller, async (tx, { conversation }) => ({
        people: await peopleOf(tx, conversation),
        opener: conversation.userId,
      })),

    leave: async ({ id }, caller) => {
      const key = await inRoom(id, caller, async (tx, { conversation }) => {
        if (conversation.userId === caller.userId)
          throw new AppError(
            'resource/conflict',
            'The person who opened a room cannot leave it. Delete it instead.',
          );
        await removeParticipant(tx, conversation, caller.userId);
        return conversation;
      });
      notify(key);
      return { left: true as const };
    },
  };
}
