import { IconDownload, IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useModal } from '../ui/use-modal.ts';
import { t } from './answer-text.ts';
import style from './picture-dialog.module.css';

export interface PictureDialogProps {
  name: string;
  address: string;
  onClose: () => void;
}

/** A picture as large as space allows. The opener has added a history entry for it: every way of closing it steps back. */
export function PictureDialog({ name, address, onClose }: PictureDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useModal(dialog);
  useEffect(() => {
    addEventListener('popstate', onClose);
    return () => removeEventListener('popstate', onClose);
  }, [onClose]);
  const stepBack = () => history.back();
  return (
    <dialog
      ref={dialog}
      className={style['dialog']}
      aria-label={name}
      onCancel={(event) => {
        event.preventDefault();
        stepBack();
      }}
      // Elsewhere Escape also closes the side panel.
      onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()}
      onClick={(event) => event.target === event.currentTarget && stepBack()}
    >
      <header className={style['header']}>
        <p className={style['name']}>{name}</p>
        <a className={style['act']} href={address} download={name} aria-label={t('chat.saveFile', { name })}>
          <IconDownload size="1.25em" aria-hidden />
        </a>
        <button type="button" className={style['act']} aria-label={t('chat.close')} onClick={stepBack}>
          <IconX size="1.25em" aria-hidden />
        </button>
      </header>
      <img className={style['picture']} src={address} alt={name} />
    </dialog>
  );
}
