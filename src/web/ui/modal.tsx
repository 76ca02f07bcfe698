import { Modal as MantineModal, type ModalProps } from '@mantine/core';
import { useLayoutEffect } from 'react';
import { t } from '../messages/t.ts';
import { MAIN_ID } from './skip-link.tsx';

/** A dialog over the page. Where the focus was before it is there again after it, also where it is taken away in place of closed. */
export function Modal(props: ModalProps) {
  useFocusBack(props.opened);
  return <MantineModal closeButtonProps={{ 'aria-label': t('ui.close') }} {...props} />;
}

/** To the page itself where what had the focus is gone; nowhere where something has taken it already. */
function useFocusBack(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return;
    const { activeElement } = document;
    return () => {
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const isThere = activeElement !== document.body && activeElement?.isConnected;
        const next = isThere ? activeElement : document.getElementById(MAIN_ID);
        if (next instanceof HTMLElement) next.focus({ preventScroll: true });
      });
    };
  }, [opened]);
}
