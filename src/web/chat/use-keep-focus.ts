import { useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * When the focused element leaves the page, focus moves to the composer, not to the top of the page; from an answered
 * question it moves to the next one. An element that is disabled for a while gets focus back afterwards.
 */
export function useKeepFocus(
  frame: RefObject<HTMLElement | null>,
  fallback: RefObject<HTMLElement | null>,
): void {
  const held = useRef<Element | null>(null);
  /** Browsers remove focus from disabled elements. */
  const wasDisabled = useRef(false);
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    let { current } = held;
    const isLost = current && (activeElement === body || activeElement === null);
    const isAnswered = isLost && !current?.isConnected && current?.closest('[data-asks]');
    const next = isAnswered && frame.current?.querySelector('[data-asks] :is(button, input, select)');
    if (next) {
      held.current = current = next;
      wasDisabled.current = true;
    }
    if (isLost && !current?.isConnected) fallback.current?.focus();
    else if (current?.matches(':disabled')) {
      wasDisabled.current = true;
      return;
    } else if (isLost && wasDisabled.current && current instanceof HTMLElement) current.focus();
    wasDisabled.current = false;
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
