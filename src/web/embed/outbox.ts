import type { ConversationHandle } from '../chat/conversation.tsx';
import { hearLoader } from './place.ts';

/** What the site says on the visitor's behalf, kept until there is a conversation to say it in. */
export interface Outbox {
  /**
   * Delivers what is waiting and what comes, until the returned function is called. While there is no conversation, as when
   * one visitor takes another's place, it waits for the next.
   */
  deliverTo: (find: () => ConversationHandle | null) => () => void;
}

export function createOutbox(site: string | null): Outbox {
  const waiting: string[] = [];
  let find: () => ConversationHandle | null = () => null;
  const deliver = () => {
    const conversation = find();
    if (conversation) for (const text of waiting.splice(0)) conversation.send(text);
  };
  hearLoader(site, (message) => {
    if (message.type !== 'send') return;
    const text = message.text.trim();
    if (text === '') return;
    waiting.push(text);
    deliver();
  });
  return {
    deliverTo(next) {
      find = next;
      deliver();
      return () => {
        if (find === next) find = () => null;
      };
    },
  };
}
