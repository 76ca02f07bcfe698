import { useCallback, useRef, useState } from 'react';
import type { Beside } from './conversation-context.ts';

/** The side panel; when it closes, focus returns to where it was. */
export function useBeside() {
  const [beside, setBeside] = useState<Beside | null>(null);
  const opener = useRef<Element | null>(null);
  const open = useCallback((next: Beside) => {
    setBeside((before) => {
      if (!before) opener.current = document.activeElement;
      return next;
    });
  }, []);
  const close = useCallback(() => {
    setBeside(null);
    if (opener.current instanceof HTMLElement) opener.current.focus();
  }, []);
  return { beside, open, close };
}
