import { useId, useRef, type ReactNode } from 'react';
import { t } from '../messages/t.ts';
import { CloseButton } from './close-button.tsx';
import style from './dialog.module.css';
import { useModal } from './use-modal.ts';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog for pages that load no component library. Open as long as it is rendered. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useModal(dialog);
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
          <CloseButton label={t('ui.close')} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}
