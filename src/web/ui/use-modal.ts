import { useEffect, type RefObject } from 'react';

/**
 * Opens a dialog of the browser's own as long as it is shown. It keeps the focus, closes with Escape, and gives the focus
 * back to where it was.
 */
export function useModal(dialog: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const { current } = dialog;
    const opener = document.activeElement;
    current?.showModal();
    return () => {
      current?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, [dialog]);
}
