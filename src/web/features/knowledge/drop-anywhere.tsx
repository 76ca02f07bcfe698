import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.css';
import { IconFileUpload } from '@tabler/icons-react';
import { t } from '../../messages/t.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import style from './knowledge.module.css';
import { UploadList } from './upload-list.tsx';
import { useAddFiles } from './use-add-files.ts';

/**
 * Files may be dropped anywhere on the page, which then shows their progress. The overlay that says so appears only
 * during a drag: it is not a tab stop, and screen readers skip it.
 */
export function DropAnywhere({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { queue } = useAddFiles(useOrgId(), useAgentId());
  return (
    <>
      <UploadList queue={queue} />
      <Dropzone.FullScreen onDrop={onFiles} withinPortal={false} activateOnKeyboard={false} aria-hidden>
        <div className={style['drop']}>
          <IconFileUpload size="2em" aria-hidden />
          {t('knowledge.dropHere')}
        </div>
      </Dropzone.FullScreen>
    </>
  );
}
