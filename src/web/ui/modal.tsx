import { Modal as MantineModal, type ModalProps } from '@mantine/core';
import { useLayoutEffect } from 'react';
import { t } from '../messages/t.ts';

/** A dialog over the page. Where the focus was before it is there again after it, also where it is taken away in place of closed. */
export function Modal(props: ModalProps) {
  useFocusBack(props.opened);
  return <MantineModal closeButtonProps={{ 'aria-label': t('ui.close') }} {...props} />;
}

/** Nowhere where something has taken it already, or where what had it is gone: `keep-focus.ts` knows what is in its place. */
function useFocusBack(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return;
    const { activeElement, body } = document;
    return () => {
      setTimeout(() => {
        if (document.activeElement === body && activeElement instanceof HTMLElement)
          activeElement.focus({ preventScroll: true });
      });
    };
  }, [opened]);
}
