import { useEffect, type RefObject } from 'react';

/**
 * Opens a native dialog as long as it is rendered. It traps focus, closes on Escape, and returns focus to where it was;
 * if opened with the page, to the button before it.
 */
export function useModal(dialog: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const { current } = dialog;
    const opener = openerOf(current);
    current?.showModal();
    return () => {
      current?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, [dialog]);
}

function openerOf(dialog: Element | null): Element | null | undefined {
  const { activeElement } = document;
  if (!activeElement?.matches('body, main')) return activeElement;
  const before = dialog?.previousElementSibling;
  return before?.matches('button') ? before : before?.querySelector('button');
}
