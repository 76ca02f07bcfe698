import { MESSAGE_MAX_CHARACTERS } from '../../contract/limits.ts';
import type { ConversationHandle } from '../chat/conversation.tsx';
import { createStore, type Store } from '../store.ts';
import { report } from '../widget/report.ts';
import { hearLoader } from './place.ts';
import { t } from './text.ts';

/** What the site sends on the visitor's behalf, kept until there is a conversation for it. */
export interface Outbox {
  waiting: Store<readonly string[]>;
  /**
   * Delivers waiting and new messages until the returned function is called. While there is no conversation, as when
   * one visitor replaces another, they wait for the next.
   */
  deliverTo: (find: () => ConversationHandle | null) => () => void;
}

export function createOutbox(site: string | null): Outbox {
  const waiting = createStore<readonly string[]>([]);
  let find: () => ConversationHandle | null = () => null;
  const deliver = () => {
    const conversation = find();
    const texts = waiting.get();
    if (!conversation || texts.length === 0) return;
    waiting.set([]);
    for (const text of texts) conversation.send(text);
  };
  hearLoader(site, (message) => {
    if (message.type !== 'send') return;
    const text = message.text?.trim();
    if (!text || text.length > MESSAGE_MAX_CHARACTERS)
      return report(t('embed.noText', { most: MESSAGE_MAX_CHARACTERS }));
    waiting.set([...waiting.get(), text]);
    deliver();
  });
  return {
    waiting,
    deliverTo(next) {
      find = next;
      deliver();
      return () => {
        if (find === next) find = () => null;
      };
    },
  };
}
