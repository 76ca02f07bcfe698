import type { attachment as contract } from '../../../contract/answer.ts';
import { ATTACHMENT_TEXT_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { invalidField, notFound } from '../../app-error.ts';
import type { ChatCaller, Handlers } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../id.ts';
import { findConversation, type StoredConversation } from '../chat/store.ts';
import * as store from './store.ts';

export function attachmentHandlers(deps: Deps): Handlers<typeof contract> {
  const { config, db, documents, storage } = deps;

  const inConversation = <T>(
    id: string,
    caller: ChatCaller,
    work: (tx: Tx, conversation: StoredConversation) => Promise<T>,
  ): Promise<T> =>
    db.in({ conversationId: id, userId: caller.userId }, async (tx) => {
      const found = await findConversation(tx, id, caller.userId);
      if (!found) throw notFound();
      return work(tx, found.conversation);
    });

  return {
    add: async ({ id, media }, caller) => {
      if (media.size === 0) throw invalidField('media', 'The file is empty.');
      await inConversation(id, caller, (tx, conversation) =>
        store.requireSpace(tx, config, conversation, media.size),
      );
      const given = await documents.open(media, ATTACHMENT_TEXT_MAX_CHARACTERS);
      const attachmentId = newId('attachment');
      await storage.put(attachmentId, given.data);
      try {
        return await inConversation(id, caller, async (tx, conversation) => {
          await store.requireSpace(tx, config, conversation, given.data.length);
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
      const found = await inConversation(id, caller, async (tx, conversation) => {
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
