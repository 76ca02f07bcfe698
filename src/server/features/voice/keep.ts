import type { Attachment } from '../../../contract/chat.ts';
import { noConversation } from '../../app-error.ts';
import type { ChatCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../id.ts';
import * as attachments from '../attachment/store.ts';
import { findConversation, type OpenConversation } from '../chat/store.ts';
import type { Sound } from './recording.ts';

/** Runs `work` with the caller's own conversation; for anybody else it does not exist. */
export async function inOwn<T>(
  { db }: Pick<Deps, 'db'>,
  id: string,
  caller: ChatCaller,
  work: (tx: Tx, open: OpenConversation) => Promise<T>,
): Promise<T> {
  return db.in({ conversationId: id, userId: caller.userId }, async (tx) => {
    const found = await findConversation(tx, id, caller.userId);
    if (!found || found.agent.deletedAt) throw noConversation();
    return work(tx, found);
  });
}

/** Stores a recording as a file of the conversation; nothing remains if that fails. */
export async function keepRecording(
  deps: Pick<Deps, 'config' | 'db' | 'storage'>,
  id: string,
  caller: ChatCaller,
  { data, mediaType, extension }: Sound,
): Promise<Attachment> {
  const storageKey = newId('attachment');
  await deps.storage.put(storageKey, data);
  try {
    return await inOwn(deps, id, caller, async (tx, { conversation }) => {
      await attachments.requireSpace(tx, deps.config, conversation, data.length);
      const kept = await attachments.insertAttachment(tx, {
        id: storageKey,
        organizationId: conversation.organizationId,
        conversationId: conversation.id,
        userId: caller.userId,
        name: `recording.${extension}`,
        mediaType,
        bytes: data.length,
        storageKey,
        text: null,
      });
      return attachments.attachmentOf(kept);
    });
  } catch (error) {
    await deps.storage.remove(storageKey);
    throw error;
  }
}

/** For a recording that no message refers to; its bytes are removed later. */
export async function forgetRecording(
  deps: Pick<Deps, 'db'>,
  id: string,
  caller: ChatCaller,
  recording: Attachment,
): Promise<void> {
  await inOwn(deps, id, caller, (tx, { conversation }) =>
    attachments.deleteAttachment(tx, conversation, recording.id),
  );
}
