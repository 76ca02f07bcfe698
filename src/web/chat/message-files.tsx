import { useEffect, useState } from 'react';
import type { Attachment } from '../../contract/chat.ts';
import { useParts } from './conversation-context.ts';
import { FileChip } from './file-chip.tsx';
import style from './files.module.css';
import { t } from './answer-text.ts';

/** The files that came with a message: pictures are shown, any can be saved. */
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
  const isPicture = mediaType.startsWith('image/');
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    let isOver = false;
    const { files } = transport;
    if (isPicture)
      files?.read(id).then(
        (data) => isOver || setAddress(data),
        () => undefined,
      );
    return () => {
      isOver = true;
    };
  }, [transport, isPicture, id]);
  const save = async () => {
    const data = address ?? (await transport.files?.read(id).catch(() => null));
    if (!data) return;
    const link = document.createElement('a');
    link.href = data;
    link.download = name;
    link.click();
  };
  if (!transport.files) return <FileChip name={name} mediaType={mediaType} bytes={bytes} />;
  return (
    <button
      type="button"
      className={style['saver']}
      title={t('chat.saveFile', { name })}
      onClick={() => void save()}
    >
      {address ? (
        <img className={style['picture']} src={address} alt={name} />
      ) : (
        <FileChip name={name} mediaType={mediaType} bytes={bytes} />
      )}
    </button>
  );
}
