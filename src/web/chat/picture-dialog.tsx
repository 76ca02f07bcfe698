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

/** A picture as large as there is room for. Whoever shows it has made a step of the history for it: every way to close it steps back. */
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
      // Elsewhere Escape also closes what stands beside the messages.
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
