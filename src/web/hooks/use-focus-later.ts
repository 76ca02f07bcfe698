import { useEffect, useRef } from 'react';

/** Focuses a list element that appears with the next render. */
export function useFocusLater<Element extends HTMLElement>() {
  const list = useRef<Element>(null);
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    list.current?.querySelector<HTMLElement>(wanted.current)?.focus();
    wanted.current = null;
  });
  return { list, focusLater: (selector: string) => void (wanted.current = selector) };
}
