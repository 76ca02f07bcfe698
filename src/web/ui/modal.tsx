import { Modal as MantineModal, type ModalProps } from '@mantine/core';
import { useLayoutEffect } from 'react';
import { t } from '../messages/t.ts';

/** A dialog over the page. When it closes or is unmounted, focus returns to where it was. */
export function Modal(props: ModalProps) {
  useFocusBack(props.opened);
  return <MantineModal closeButtonProps={{ 'aria-label': t('ui.close') }} {...props} />;
}

/** Not if something else has taken it, or the previous element is gone: `keep-focus.ts` knows what is in its place. */
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
