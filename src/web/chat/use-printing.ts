import { useEffect, useState, type RefObject } from 'react';
import type { Unread } from './use-earlier.ts';

const ASKED = 'parley-print';

/** For the page around a conversation. */
export function printConversation(): void {
  dispatchEvent(new Event(ASKED));
}

/**
 * Prints a page's whole conversation: messages not yet loaded are loaded first, also for the browser's print shortcut.
 * The browser's menu can't wait; the printout then says that there is more. Returns whether it is loading.
 */
export function usePrinting(
  scroller: RefObject<HTMLElement | null>,
  { earlier, showEarlier }: Unread,
): boolean {
  const [isWanted, setIsWanted] = useState(false);
  useEffect(() => {
    const isPage = () => scroller.current?.closest('[data-prints]') !== null;
    const want = () => setIsWanted(isPage());
    const onKey = (event: KeyboardEvent) => {
      if (earlier === null || !isPrintKey(event) || !isPage()) return;
      event.preventDefault();
      setIsWanted(true);
    };
    addEventListener('keydown', onKey);
    addEventListener(ASKED, want);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener(ASKED, want);
    };
  }, [scroller, earlier]);
  useEffect(() => {
    if (!isWanted) return;
    if (earlier !== null) {
      void showEarlier().then((isRead) => isRead || setIsWanted(false));
      return;
    }
    setIsWanted(false);
    // Once they are rendered.
    setTimeout(() => print(), 100);
    // Page by page; the function changes every time.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isWanted, earlier]);
  return isWanted;
}

function isPrintKey({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'p' && ctrlKey !== metaKey && !shiftKey && !altKey;
}
