import { Button, FileButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IMAGE_MAX_BYTES } from '../contract/limits.ts';
import type { Failure } from './failures.ts';
import { formatBytes } from './format.ts';
import { t } from './messages/t.ts';
import style from './photo-field.module.css';
import { toast } from './toast.ts';
import { Avatar } from './ui/avatar.tsx';

const KINDS = 'image/png,image/jpeg,image/webp,image/gif,image/avif';

interface PhotoFieldProps {
  name: string;
  photo: string;
  round?: boolean;
  failure: Failure;
  /** Uploads the file and makes the page show the new photo. */
  onUpload: (file: File) => Promise<void>;
}

/** The photo as everybody sees it, and a button that puts another in its place at once. */
export function PhotoField({ name, photo, round = false, failure, onUpload }: PhotoFieldProps) {
  const upload = useMutation({
    mutationFn: onUpload,
    onSuccess: () => toast.success({ title: t('account.photoSaved') }),
    meta: { failure },
  });
  const choose = (file: File | null) => {
    if (!file) return;
    const size = formatBytes(IMAGE_MAX_BYTES);
    if (file.size <= IMAGE_MAX_BYTES) return upload.mutate(file);
    toast.error({ title: file.name, message: t('account.photoTooLarge', { size }) });
  };
  return (
    <div className={style['field']}>
      <span className={style['photo']}>
        {/* The key lets a new photo show although the one before it was broken. */}
        <Avatar key={photo} name={name} photo={photo} round={round} />
      </span>
      <div className={style['text']}>
        <FileButton accept={KINDS} onChange={choose} inputProps={{ 'aria-label': t('account.choosePhoto') }}>
          {(props) => (
            <Button variant="default" loading={upload.isPending} {...props}>
              {t('account.choosePhoto')}
            </Button>
          )}
        </FileButton>
        <span className={style['hint']}>{t('account.photoHint')}</span>
      </div>
    </div>
  );
}
