import { useEffect, useState, type RefObject } from 'react';
import type { Unread } from './use-earlier.ts';

const ASKED = 'parley-print';

/** For the page around a conversation. */
export function printConversation(): void {
  dispatchEvent(new Event(ASKED));
}

/**
 * Prints the conversation of a page whole: what has not been read yet is read before, also when the browser's key for printing is pressed.
 * Its menu waits for nobody; the paper then says that there is more. Answers whether it is being read.
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
    // When they are drawn.
    setTimeout(() => print(), 100);
    // Page by page; the function is another with every change.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isWanted, earlier]);
  return isWanted;
}

function isPrintKey({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'p' && ctrlKey !== metaKey && !shiftKey && !altKey;
}
