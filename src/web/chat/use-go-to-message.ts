import { useEffect, useRef, type RefObject } from 'react';
import type { Unread } from './use-earlier.ts';
import type { Chat } from './use-conversation.ts';

/** How many pages of earlier messages to load in search of it. */
const PAGES_MAX = 20;

/** Scrolls to the message the reader has come for, loading earlier ones until it is there. */
export function useGoToMessage(
  scroller: RefObject<HTMLElement | null>,
  { messages, loading, unread }: Pick<Chat, 'messages' | 'loading'> & { unread: Unread },
  id: string | undefined,
): void {
  const done = useRef<string>(undefined);
  const pages = useRef(0);
  const { earlier, showEarlier } = unread;
  useEffect(() => {
    if (id === undefined || done.current === id || loading !== 'ready') return;
    const element = scroller.current?.querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"]`);
    if (element) {
      done.current = id;
      element.scrollIntoView({ block: 'center' });
      element.dataset['found'] = 'true';
      return;
    }
    if (!earlier || pages.current >= PAGES_MAX) return;
    pages.current += 1;
    void showEarlier();
    // Searches again whenever the messages change.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [id, messages, loading, earlier]);
}
