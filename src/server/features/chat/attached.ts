import { ATTACHMENT_TEXT_MAX_CHARACTERS } from '../../../contract/limits.ts';
import type { Deps } from '../../deps.ts';
import { findAttachments } from '../attachment/store.ts';
import type { Turn } from './turn-store.ts';

/** A file of the conversation, for the model. */
export interface AttachedFile {
  name: string;
  mediaType: string;
  /** For a document. */
  text: string | null;
  /** For a picture. */
  data: Buffer | null;
}

/**
 * The question's files, and the documents added earlier, as far as there is room for their text. Pictures from earlier
 * messages aren't shown again. Costs nothing if there are none.
 */
export async function readFiles(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  { question, history }: Pick<Turn, 'question' | 'history'>,
): Promise<AttachedFile[]> {
  const now = new Set(question.attachments.map(({ id }) => id));
  const wanted = [...now, ...history.flatMap(({ attachments }) => attachments.map(({ id }) => id))];
  if (wanted.length === 0) return [];
  const { organizationId, conversationId } = question;
  const found = await db.in({ organizationId }, (tx) =>
    findAttachments(tx, { organizationId, id: conversationId }, wanted),
  );
  let room = ATTACHMENT_TEXT_MAX_CHARACTERS;
  const files = found
    .toSorted((a, b) => wanted.indexOf(a.id) - wanted.indexOf(b.id))
    .map(async ({ id, name, mediaType, storageKey, text }): Promise<AttachedFile[]> => {
      if (text === null) {
        const isShown = now.has(id) && mediaType.startsWith('image/');
        return isShown ? [{ name, mediaType, text: null, data: await storage.get(storageKey) }] : [];
      }
      const part = text.slice(0, room);
      room -= part.length;
      return part === '' ? [] : [{ name, mediaType, text: part, data: null }];
    });
  return (await Promise.all(files)).flat();
}
