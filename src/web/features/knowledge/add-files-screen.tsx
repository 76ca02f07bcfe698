import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.css';
import { IconFileUpload } from '@tabler/icons-react';
import { t } from '../../messages/t.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import style from './knowledge.module.css';
import { UploadList } from './upload-list.tsx';
import { useAddFiles, useWhenAdded } from './use-add-files.ts';
import { useBackToList } from './use-add-knowledge.ts';

export function AddFilesScreen() {
  const adding = useAddFiles(useOrgId(), useAgentId());
  const backToList = useBackToList();
  useWhenAdded(adding.rounds, () => void backToList());
  return (
    <>
      <PageHeader title={t('knowledge.addFiles')} lead={t('knowledge.addFilesText')} />
      <Dropzone onDrop={adding.mutate} role="button" inputProps={{ style: { display: 'none' } }}>
        <div className={style['zone']}>
          <IconFileUpload size="2em" aria-hidden />
          <strong>{t('knowledge.chooseFiles')}</strong>
          {t('knowledge.fileKinds')}
        </div>
      </Dropzone>
      <UploadList queue={adding.queue} />
    </>
  );
}
