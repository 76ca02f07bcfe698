import { Button } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import type { Knowledge } from '../../../contract/knowledge.ts';
import { t } from '../../messages/t.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { FileButton } from '../../ui/file-button.tsx';
import { UploadList } from './upload-list.tsx';
import { isUnderWay } from './use-live-knowledge.ts';
import { useReplaceFile } from './use-replace-file.ts';

interface ReplaceFileProps {
  agentId: string;
  item: Knowledge;
}

/** Chooses the newer version of an item's file. */
export function ReplaceFileButton({ agentId, item }: ReplaceFileProps) {
  const { isPending, replaceBy } = useReplaceFile(useOrgId(), agentId, item.id);
  return (
    <FileButton onChange={(file) => file && replaceBy(file)}>
      {(props) => (
        <Button
          {...props}
          variant="default"
          leftSection={<IconFileUpload size="1.15em" aria-hidden />}
          loading={isPending}
          disabled={isUnderWay(item.progress.state)}
        >
          {t('knowledge.replaceFile')}
        </Button>
      )}
    </FileButton>
  );
}

/** The progress of its upload; nothing if there is none. */
export function ReplaceFileUploads({ agentId, item }: ReplaceFileProps) {
  return <UploadList queue={useReplaceFile(useOrgId(), agentId, item.id).queue} />;
}
