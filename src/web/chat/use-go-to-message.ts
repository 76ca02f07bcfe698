import { useEffect, useRef, type RefObject } from 'react';
import type { Unread } from './use-earlier.ts';
import type { Chat } from './use-conversation.ts';

/** So many pages of earlier messages are read to find it. */
const PAGES_MAX = 20;

/** Brings the message into view that the reader has come for, reading earlier ones until it is there. */
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
    // It is looked for anew whenever there are other messages.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [id, messages, loading, earlier]);
}
