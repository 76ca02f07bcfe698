import type { Conversation } from '../../../contract/chat.ts';
import type { ExportedMessage } from '../../../contract/history.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { conversationOf, findConversation, messageOf, readBy, type OpenConversation } from '../chat/store.ts';
import { fileNameOf, markdownOf } from './markdown.ts';
import { readAll } from './read-all.ts';

interface WholeConversation {
  conversation: Conversation;
  messages: ExportedMessage[];
  markdown: string;
  fileNameWith: (extension: string) => string;
}

/** All branches as their reader sees them, and the one shown as a document. */
export async function wholeOf(tx: Tx, open: OpenConversation, reader: string): Promise<WholeConversation> {
  const conversation = conversationOf(open.conversation, open.agent, reader);
  const read = await readAll(tx, open.conversation, reader);
  const messages = read.map((each) => ({
    ...messageOf(readBy(reader, open.conversation, each)),
    active: each.active,
  }));
  return {
    conversation,
    messages,
    markdown: markdownOf(conversation, messages),
    fileNameWith: (extension) => fileNameOf(conversation, extension),
  };
}

/** A person's conversations, including those that can still be restored; undefined for one that is gone. */
export function wholeConversationsIn({ db }: Pick<Deps, 'db'>) {
  return (id: string, userId: string): Promise<WholeConversation | undefined> =>
    db.in({ conversationId: id, userId }, async (tx) => {
      const open = await findConversation(tx, id, userId, { deleted: true });
      return open && wholeOf(tx, open, userId);
    });
}
