import { useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * When what held the focus leaves the page, the focus goes to the composer, not to the beginning of the page; from a question that is
 * answered to the next one. What cannot be used for a while has it again afterwards.
 */
export function useKeepFocus(
  frame: RefObject<HTMLElement | null>,
  fallback: RefObject<HTMLElement | null>,
): void {
  const held = useRef<Element | null>(null);
  /** Browsers take the focus from what is disabled. */
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
