import { IconFileText, IconPhoto } from '@tabler/icons-react';
import { formatBytes } from '../format.ts';
import style from './files.module.css';

interface FileChipProps {
  name: string;
  mediaType: string;
  bytes: number;
  /** A thumbnail. */
  preview?: string | null;
  /** Shown instead of the size. */
  remark?: string | undefined;
}

/** A file by name. */
export function FileChip({ name, mediaType, bytes, preview, remark }: FileChipProps) {
  const Icon = mediaType.startsWith('image/') ? IconPhoto : IconFileText;
  return (
    <span className={style['chip']}>
      {preview ? (
        <img className={style['preview']} src={preview} alt="" />
      ) : (
        <span className={style['icon']}>
          <Icon size="1.25em" aria-hidden />
        </span>
      )}
      <span className={style['facts']}>
        <span className={style['name']}>{name}</span>
        <span className={style['size']}>{remark ?? formatBytes(bytes)}</span>
      </span>
    </span>
  );
}
