import { IconX } from '@tabler/icons-react';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { t } from '../messages/t.ts';
import style from './dialog.module.css';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A dialog for pages that load no component library: the browser's own, which keeps the focus, closes with Escape and
 * gives the focus back. It is open as long as it is shown.
 */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const { current } = dialog;
    const opener = document.activeElement;
    current?.showModal();
    return () => {
      current?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={style['dialog']}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className={style['content']}>
        <header className={style['header']}>
          <h2 id={titleId}>{title}</h2>
          <button type="button" className={style['close']} aria-label={t('ui.close')} onClick={onClose}>
            <IconX size="1.25em" aria-hidden />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
