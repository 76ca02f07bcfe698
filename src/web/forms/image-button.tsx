import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IMAGE_MAX_BYTES } from '../../contract/limits.ts';
import type { Failure } from '../api/failures.ts';
import { formatBytes } from '../format.ts';
import { t } from '../messages/t.ts';
import { toast } from '../toast.ts';
import { FileButton } from '../ui/file-button.tsx';

const KINDS = 'image/png,image/jpeg,image/webp,image/gif,image/avif';

interface ImageButtonProps {
  label: string;
  failure: Failure;
  /** Uploads the file and makes the page show the picture. */
  onUpload: (file: File) => Promise<void>;
}

/** Selects a picture and uploads it at once; rejects one that is too large. */
export function ImageButton({ label, failure, onUpload }: ImageButtonProps) {
  const upload = useMutation({ mutationFn: onUpload, meta: { failure } });
  const choose = (file: File | null) => {
    if (!file) return;
    const size = formatBytes(IMAGE_MAX_BYTES);
    if (file.size <= IMAGE_MAX_BYTES) return upload.mutate(file);
    toast.error({ title: file.name, message: t('account.photoTooLarge', { size }) });
  };
  return (
    <FileButton accept={KINDS} onChange={choose} inputProps={{ 'aria-label': label }}>
      {(props) => (
        <Button variant="default" loading={upload.isPending} {...props}>
          {label}
        </Button>
      )}
    </FileButton>
  );
}
