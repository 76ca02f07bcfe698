import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.css';
import { IconFileUpload } from '@tabler/icons-react';
import { t } from '../../messages/t.ts';
import style from './knowledge.module.css';

/** Files may be dropped anywhere on the page. */
export function DropAnywhere({ onFiles }: { onFiles: (files: File[]) => void }) {
  return (
    <Dropzone.FullScreen onDrop={onFiles} withinPortal={false}>
      <div className={style['drop']}>
        <IconFileUpload size="2em" aria-hidden />
        {t('knowledge.dropHere')}
      </div>
    </Dropzone.FullScreen>
  );
}
