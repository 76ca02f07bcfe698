import type { Failure } from '../api/failures.ts';
import { ImageButton } from './image-button.tsx';
import { t } from '../messages/t.ts';
import style from './photo-field.module.css';
import { toast } from '../toast.ts';
import { Avatar } from '../ui/avatar.tsx';

interface PhotoFieldProps {
  name: string;
  photo: string;
  round?: boolean;
  failure: Failure;
  /** Uploads the file and makes the page show the new photo. */
  onUpload: (file: File) => Promise<void>;
}

/** The photo as everybody sees it, and a button that replaces it at once. */
export function PhotoField({ name, photo, round = false, failure, onUpload }: PhotoFieldProps) {
  const upload = async (file: File) => {
    await onUpload(file);
    toast.success({ title: t('account.photoSaved') });
  };
  return (
    <div className={style['field']}>
      <span className={style['photo']}>
        {/* The key lets a new photo show although the one before it was broken. */}
        <Avatar key={photo} name={name} photo={photo} round={round} />
      </span>
      <div className={style['text']}>
        <ImageButton label={t('account.choosePhoto')} failure={failure} onUpload={upload} />
        <span className={style['hint']}>{t('account.photoHint')}</span>
      </div>
    </div>
  );
}
