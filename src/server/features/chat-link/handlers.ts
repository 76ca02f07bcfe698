import type { ChatLink, chatLink as contract } from '../../../contract/chat-link.ts';
import { CHAT_LINKS_MAX } from '../../../contract/limits.ts';
import { AppError, noConversation, notFound } from '../../app-error.ts';
import type { Handlers, UserCaller } from '../../call.ts';
import { decodeCursor, readSequenceIn } from '../../cursor.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import {
  asToldToOthers,
  conversationOf,
  findConversation,
  listMessages,
  messagePage,
  type OpenConversation,
} from '../chat/store.ts';
import * as store from './store.ts';
import { tokenOf } from './token.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export function chatLinkHandlers(deps: Deps): Handlers<typeof contract> {
  const { db, vault } = deps;
  const present = ({ id, kind, audience, expiresAt, createdAt }: store.StoredLink): ChatLink => ({
    id,
    kind,
    audience,
    token: tokenOf(vault, id),
    expiresAt: expiresAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  });

  /** Only the person who started a conversation may let others in. */
  const asOpener = <T>(
    id: string,
    { userId }: UserCaller,
    work: (tx: Tx, open: OpenConversation) => Promise<T>,
  ) =>
    db.in({ conversationId: id, userId }, async (tx) => {
      const open = await findConversation(tx, id, userId, { lock: true });
      if (!open || open.conversation.userId !== userId) throw noConversation();
      return work(tx, open);
    });

  return {
    list: async ({ id }, caller) =>
      asOpener(id, caller, async (tx, { conversation }) => ({
        links: (await store.listLinks(tx, conversation)).map(present),
      })),

    create: async ({ id, kind, audience, days }, caller) =>
      asOpener(id, caller, async (tx, { conversation }) => {
        if (kind === 'join' && conversation.kind !== 'game') throw notFound();
        if (kind === 'read' && conversation.temporary)
          throw new AppError('resource/conflict', 'A temporary conversation cannot be shared.');
        const links = await store.listLinks(tx, conversation);
        if (links.length >= CHAT_LINKS_MAX)
          throw new AppError('resource/conflict', `A conversation can have at most ${CHAT_LINKS_MAX} links.`);
        const link = await store.insertLink(tx, {
          organizationId: conversation.organizationId,
          conversationId: conversation.id,
          kind,
          audience,
          lastSequence: conversation.lastSequence,
          lastMessageId: await store.lastMessageOf(tx, conversation),
          title: conversation.title,
          expiresAt: days === undefined ? null : new Date(Date.now() + days * DAY_MS),
        });
        return { link: present(link) };
      }),

    revoke: async ({ id, linkId }, caller) =>
      asOpener(id, caller, async (tx, { conversation }) => {
        if (!(await store.revokeLink(tx, conversation, linkId))) throw notFound();
        return { revoked: true as const };
      }),

    open: async ({ token, cursor, count }, caller) => {
      const after = decodeCursor(cursor, readSequenceIn('asc'));
      return store.throughLink(deps, token, caller, async (tx, { link, conversation, agent }) => {
        if (link.kind !== 'read') throw notFound();
        const found = await listMessages(tx, conversation, '', {
          count: count + 1,
          after,
          branch: { sequence: link.lastSequence, id: link.lastMessageId },
        });
        // People, ratings and other branches aren't shared.
        const alone = found.map((each) => ({
          ...each,
          siblings: [each.id],
          author: null,
          toolCalls: each.toolCalls.map(asToldToOthers),
        }));
        return {
          conversation: conversationOf(
            { ...conversation, title: link.title ?? conversation.title },
            agent,
            '',
          ),
          ...messagePage(alone, { count, orderBy: 'asc' }),
        };
      });
    },
  };
}
