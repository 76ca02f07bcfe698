import { and, count, eq, inArray } from 'drizzle-orm';
import type { Attachment } from '../../../contract/chat.ts';
import { ATTACHMENTS_MAX } from '../../../contract/limits.ts';
import { requireRoom } from '../../access/quota.ts';
import { AppError, notFoundAt } from '../../app-error.ts';
import type { Config } from '../../config/config.ts';
import { attachment, conversation } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';

type StoredAttachment = typeof attachment.$inferSelect;

interface ConversationKey {
  organizationId: string;
  id: string;
}

const inConversation = ({ organizationId, id }: ConversationKey) =>
  and(eq(attachment.organizationId, organizationId), eq(attachment.conversationId, id));

export async function insertAttachment(
  tx: Tx,
  values: Omit<StoredAttachment, 'createdAt'>,
): Promise<StoredAttachment> {
  const [made] = await tx.insert(attachment).values(values).returning();
  return made as StoredAttachment;
}

/** Concurrent counts for this conversation wait until this transaction ends, so that the number stays correct. */
async function countAttachments(tx: Tx, key: ConversationKey): Promise<number> {
  await tx
    .select({ id: conversation.id })
    .from(conversation)
    .where(and(eq(conversation.organizationId, key.organizationId), eq(conversation.id, key.id)))
    .for('no key update');
  const [row] = await tx.select({ attachments: count() }).from(attachment).where(inConversation(key));
  return row?.attachments ?? 0;
}

/** Errors: 413 if the conversation has reached its file limit, 402 if the organization has no room for it. */
export async function requireSpace(
  tx: Tx,
  config: Pick<Config, 'billing'>,
  key: ConversationKey,
  bytes: number,
): Promise<void> {
  if ((await countAttachments(tx, key)) >= ATTACHMENTS_MAX)
    throw new AppError('request/too-large', `A conversation can have at most ${ATTACHMENTS_MAX} files.`);
  await requireRoom(tx, config, key.organizationId, 'storedBytes', bytes);
}

/** The bytes are removed afterwards. */
export async function deleteAttachment(tx: Tx, key: ConversationKey, id: string): Promise<void> {
  await tx.delete(attachment).where(and(inConversation(key), eq(attachment.id, id)));
}

/** In no particular order. */
export async function findAttachments(
  tx: Tx,
  key: ConversationKey,
  ids: string[],
): Promise<StoredAttachment[]> {
  return tx
    .select()
    .from(attachment)
    .where(and(inConversation(key), inArray(attachment.id, ids)));
}

/** A message's attachments as displayed, in order. Errors: 404 for an id that isn't in this conversation. */
export async function takeAttachments(tx: Tx, key: ConversationKey, ids: string[]): Promise<Attachment[]> {
  const found = new Map((await findAttachments(tx, key, ids)).map((each) => [each.id, each]));
  return ids.map((id) => {
    const each = found.get(id);
    if (!each) throw notFoundAt('attachments');
    return attachmentOf(each);
  });
}

export function attachmentOf({ id, name, mediaType, bytes }: StoredAttachment): Attachment {
  return { id, name, mediaType, bytes };
}
