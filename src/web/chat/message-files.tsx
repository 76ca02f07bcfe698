import { Suspense, useCallback, useEffect, useState } from 'react';
import type { Attachment } from '../../contract/chat.ts';
import { useParts } from './conversation-context.ts';
import { FileChip } from './file-chip.tsx';
import style from './files.module.css';
import { lazily } from '../ui/later.ts';
import type { PictureDialogProps } from './picture-dialog.tsx';
import { t } from './answer-text.ts';

const PictureDialog = lazily<PictureDialogProps>(
  async () => (await import('./picture-dialog.tsx')).PictureDialog,
);

/** A message's attachments: pictures are shown, and enlarged on request; all can be downloaded. */
export function MessageFiles({ attachments }: { attachments: readonly Attachment[] }) {
  if (attachments.length === 0) return null;
  return (
    <ul className={style['files']} aria-label={t('chat.files')}>
      {attachments.map((attachment) => (
        <li key={attachment.id}>
          <MessageFile attachment={attachment} />
        </li>
      ))}
    </ul>
  );
}

function MessageFile({ attachment }: { attachment: Attachment }) {
  const { transport } = useParts();
  const { id, name, mediaType, bytes } = attachment;
  const address = usePicture(attachment);
  const save = async () => {
    const data = await transport.files?.read(id).catch(() => null);
    if (!data) return;
    const link = document.createElement('a');
    link.href = data;
    link.download = name;
    link.click();
  };
  if (address) return <MessagePicture name={name} address={address} />;
  const chip = <FileChip name={name} mediaType={mediaType} bytes={bytes} />;
  if (!transport.files) return chip;
  return (
    <button
      type="button"
      className={style['opener']}
      title={t('chat.saveFile', { name })}
      onClick={() => void save()}
    >
      {chip}
    </button>
  );
}

/** The address of a picture's bytes; null until they are loaded, and for documents. */
function usePicture({ id, mediaType }: Attachment): string | null {
  const { files } = useParts().transport;
  const isPicture = mediaType.startsWith('image/');
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    let isOver = false;
    if (isPicture)
      files?.read(id).then(
        (data) => isOver || setAddress(data),
        () => undefined,
      );
    return () => {
      isOver = true;
    };
  }, [files, isPicture, id]);
  return address;
}

function MessagePicture({ name, address }: { name: string; address: string }) {
  const [isLarge, setLarge] = useState(false);
  const close = useCallback(() => setLarge(false), []);
  const open = () => {
    // Adds a history entry, so that Back closes the picture instead of leaving the conversation.
    history.pushState(history.state, '');
    setLarge(true);
  };
  return (
    <>
      <button
        type="button"
        className={style['opener']}
        aria-haspopup="dialog"
        title={t('chat.showPicture', { name })}
        onClick={open}
      >
        <img className={style['picture']} src={address} alt={name} />
      </button>
      {isLarge && (
        <Suspense>
          <PictureDialog name={name} address={address} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
