import type { history as contract } from '../../../contract/history.ts';
import { invalidField, noConversation, notFound } from '../../app-error.ts';
import type { ChatCaller, Handlers } from '../../call.ts';
import { decodeCursor, encodeCursor, readMomentAndId } from '../../cursor.ts';
import type { Tx } from '../../db/scope.ts';
import { wordsOf } from '../../db/words.ts';
import type { Deps } from '../../deps.ts';
import {
  conversationOf,
  findConversation,
  peopleOf,
  requestStop,
  type OpenConversation,
  type StoredConversation,
} from '../chat/store.ts';
import { excerptOf } from './excerpt.ts';
import { searchHistory } from './search.ts';
import { updateConversation } from './store.ts';
import { wholeOf } from './whole.ts';

export function historyHandlers(deps: Deps): Handlers<typeof contract> {
  const { db, realtime } = deps;

  const withOwn = <T>(
    id: string,
    caller: ChatCaller,
    work: (tx: Tx, open: OpenConversation) => Promise<T>,
    deleted = false,
  ): Promise<T> =>
    db.in({ conversationId: id, userId: caller.userId }, async (tx) => {
      const open = await findConversation(tx, id, caller.userId, { deleted });
      if (!open) throw noConversation();
      return work(tx, open);
    });

  /** Only the person who opened a room can change it. Everyone in it is notified, on each of their pages, once it is stored. */
  const changeOwn = async <T>(
    id: string,
    caller: ChatCaller,
    work: (tx: Tx, open: OpenConversation) => Promise<T>,
    { deleted = false } = {},
  ): Promise<T> => {
    const change = async (tx: Tx, open: OpenConversation) => {
      if (open.conversation.userId !== caller.userId) throw notFound();
      return { answer: await work(tx, open), people: await peopleOf(tx, open.conversation) };
    };
    const { answer, people } = await withOwn(id, caller, change, deleted);
    for (const person of people) realtime.toUser(person.id, 'conversation.updated', { conversationId: id });
    return answer;
  };

  return {
    search: async ({ query, cursor, count }, caller) => {
      const before = decodeCursor(cursor, readMomentAndId);
      const words = wordsOf(query);
      if (words.length === 0) return { found: [], nextCursor: null };
      const { hits, last } = await searchHistory(deps, caller, { words, count, before });
      return {
        found: hits.map(({ conversation, messageId, text }) => ({
          conversation,
          messageId,
          excerpt: excerptOf(text, words),
        })),
        nextCursor: last ? encodeCursor([last.updatedAt.toISOString(), last.id]) : null,
      };
    },

    update: async ({ id, title, pinned, temporary }, caller) =>
      changeOwn(id, caller, async (tx, { conversation, agent }) => {
        const pinnedAt =
          pinned === undefined ? undefined : pinned ? (conversation.pinnedAt ?? new Date()) : null;
        const kept = temporary === false && conversation.temporary ? keeping(conversation) : {};
        const changed = await updateConversation(tx, conversation, { title, pinnedAt, ...kept });
        return { conversation: conversationOf(changed, agent, caller.userId) };
      }),

    remove: async ({ id }, caller) =>
      changeOwn(id, caller, async (tx, { conversation }) => {
        await requestStop(tx, conversation);
        await updateConversation(tx, conversation, { deletedAt: new Date() });
        return { deleted: true as const };
      }),

    restore: async ({ id }, caller) =>
      changeOwn(
        id,
        caller,
        async (tx, { conversation, agent }) => {
          const changed = await updateConversation(tx, conversation, { deletedAt: null });
          return { conversation: conversationOf(changed, agent, caller.userId) };
        },
        { deleted: true },
      ),

    export: async ({ id, format }, caller) =>
      withOwn(id, caller, async (tx, open) => {
        const { conversation, messages, markdown, fileNameWith } = await wholeOf(tx, open, caller.userId);
        const isJson = format === 'json';
        return {
          fileName: fileNameWith(isJson ? 'json' : 'md'),
          text: isJson ? null : markdown,
          conversation: isJson ? conversation : null,
          messages: isJson ? messages : null,
        };
      }),
  };
}

/** A temporary conversation was meant to leave no trace, and one trying a version wasn't an end user's. */
function keeping({ lastSequence, agentVersion }: StoredConversation) {
  if (lastSequence > 0 || agentVersion !== null)
    throw invalidField('temporary', 'Only an empty conversation can be kept.');
  return { temporary: false, createdAt: new Date() };
}
