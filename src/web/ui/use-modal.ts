import { useEffect, type RefObject } from 'react';

/**
 * Opens a dialog of the browser's own as long as it is shown. It keeps the focus, closes with Escape, and gives the focus
 * back to where it was; opened with the page, to the button before it.
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
