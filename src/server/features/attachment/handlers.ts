import type { attachment as contract } from '../../../contract/answer.ts';
import { ATTACHMENT_TEXT_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { requireChat } from '../../access/gate.ts';
import { invalidField, noConversation, notFound } from '../../app-error.ts';
import type { ChatCaller, Handlers } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../id.ts';
import { findConversation, type OpenConversation, type StoredConversation } from '../chat/store.ts';
import * as store from './store.ts';

export function attachmentHandlers(deps: Deps): Handlers<typeof contract> {
  const { config, db, documents, storage } = deps;

  const inConversation = <T>(
    id: string,
    caller: ChatCaller,
    work: (tx: Tx, open: OpenConversation) => Promise<T>,
  ): Promise<T> =>
    db.in({ conversationId: id, userId: caller.userId }, async (tx) => {
      const found = await findConversation(tx, id, caller.userId);
      if (!found) throw noConversation();
      return work(tx, found);
    });

  /** Only for callers who may still ask the agent: it can have become private since. */
  const withRoom = <T>(
    id: string,
    caller: ChatCaller,
    bytes: number,
    work: (tx: Tx, conversation: StoredConversation) => Promise<T>,
  ): Promise<T> =>
    inConversation(id, caller, async (tx, { conversation, agent }) => {
      await requireChat(tx, agent, caller);
      await store.requireSpace(tx, config, conversation, bytes);
      return work(tx, conversation);
    });

  return {
    add: async ({ id, media }, caller) => {
      if (media.size === 0) throw invalidField('media', 'The file is empty.');
      await withRoom(id, caller, media.size, async () => {});
      const given = await documents.open(media, ATTACHMENT_TEXT_MAX_CHARACTERS);
      const attachmentId = newId('attachment');
      await storage.put(attachmentId, given.data);
      try {
        return await withRoom(id, caller, given.data.length, async (tx, conversation) => {
          const made = await store.insertAttachment(tx, {
            id: attachmentId,
            organizationId: conversation.organizationId,
            conversationId: conversation.id,
            userId: caller.userId,
            name: given.name,
            mediaType: given.mediaType,
            bytes: given.data.length,
            storageKey: attachmentId,
            text: given.text,
          });
          return { attachment: store.attachmentOf(made) };
        });
      } catch (error) {
        await storage.remove(attachmentId);
        throw error;
      }
    },

    content: async ({ id, attachmentId }, caller) => {
      const found = await inConversation(id, caller, async (tx, { conversation }) => {
        const [one] = await store.findAttachments(tx, conversation, [attachmentId]);
        return one;
      });
      if (!found) throw notFound();
      const data = await storage.get(found.storageKey);
      return {
        attachment: store.attachmentOf(found),
        data: `data:${found.mediaType};base64,${data.toString('base64')}`,
      };
    },
  };
}
