import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.css';
import { IconFileUpload } from '@tabler/icons-react';
import { KNOWLEDGE_FILES_MAX } from '../../../contract/limits.ts';
import { t } from '../../messages/t.ts';
import { useAgentId, useOrgId } from '../../route-params.ts';
import { toast } from '../../toast.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import style from './knowledge.module.css';
import { useAddFiles } from './use-add-files.ts';
import { useBackToList } from './use-add-knowledge.ts';

export function AddFilesScreen() {
  const adding = useAddFiles(useOrgId(), useAgentId());
  const backToList = useBackToList();
  const add = async (files: File[]) => {
    const added = await adding.mutateAsync(files);
    if (added > 0) await backToList();
  };
  return (
    <>
      <PageHeader title={t('knowledge.addFiles')} lead={t('knowledge.addFilesText')} />
      <Dropzone
        onDrop={(files) => void add(files)}
        onReject={() => toast.error({ title: t('knowledge.tooManyFiles', { count: KNOWLEDGE_FILES_MAX }) })}
        maxFiles={KNOWLEDGE_FILES_MAX}
        loading={adding.isPending}
        aria-label={t('knowledge.chooseFiles')}
      >
        <div className={style['zone']}>
          <IconFileUpload size="2em" aria-hidden />
          <strong>{t('knowledge.chooseFiles')}</strong>
          {t('knowledge.fileKinds')}
        </div>
      </Dropzone>
    </>
  );
}
