import { useLayoutEffect, useRef, type RefObject } from 'react';

/** When what held the focus leaves the page, the focus goes to the composer, not to the beginning of the page. */
export function useKeepFocus(
  frame: RefObject<HTMLElement | null>,
  fallback: RefObject<HTMLElement | null>,
): void {
  const held = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (held.current && !held.current.isConnected && (activeElement === body || activeElement === null)) {
      fallback.current?.focus();
    }
    const now = document.activeElement;
    held.current = now && frame.current?.contains(now) ? now : null;
  });
  useLayoutEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element) held.current = target;
    };
    const { current } = frame;
    current?.addEventListener('focusin', onFocus);
    return () => current?.removeEventListener('focusin', onFocus);
  }, [frame]);
}
