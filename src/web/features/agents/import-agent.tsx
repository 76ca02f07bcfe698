import { Button, Progress, Stack } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { AgentMaking } from '../../parts/agent-making.tsx';
import { laterApi } from '../../api/later-api.ts';
import { formatShare } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { describeError } from '../../queries/query-client.ts';
import { freshToken } from '../../session/session.ts';
import { UploadError } from '../../upload/failure.ts';
import { sendResumable } from '../../upload/resumable.ts';
import type { TransferEvents } from '../../upload/transfer.ts';
import { toast } from '../../toast.ts';
import { FileButton } from '../../ui/file-button.tsx';
import { Modal } from '../../ui/modal.tsx';

const notStarted = { sent: 0, isRetrying: false };

/** Creates an agent from an export file. */
export function ImportAgent({ orgId }: { orgId: string }) {
  const [{ sent, isRetrying }, setProgress] = useState(notStarted);
  const [importId, setImportId] = useState<string | null>(null);
  const bring = useMutation({
    mutationFn: async (file: File) => {
      const uploadId = await upload(orgId, file, {
        onProgress: (bytes) => setProgress((now) => ({ ...now, sent: bytes / Math.max(1, file.size) })),
        onRetrying: (is) => setProgress((now) => ({ ...now, isRetrying: is })),
      });
      return (await laterApi.agentFile.import({ organizationId: orgId, uploadId })).import.id;
    },
    onSuccess: setImportId,
    onError: (error) => toast.error({ title: t('error.title'), message: wordsOf(error) }),
    onSettled: () => setProgress(notStarted),
    meta: { failure: 'createChatbot', quiet: true },
  });
  return (
    <>
      <FileButton accept=".zip,application/zip" onChange={(file) => file && bring.mutate(file)}>
        {(props) => (
          <Button
            variant="default"
            leftSection={<IconFileImport size="1.15em" aria-hidden />}
            loading={bring.isPending}
            {...props}
          >
            {t('keeping.import')}
          </Button>
        )}
      </FileButton>
      <Modal
        opened={bring.isPending}
        onClose={() => undefined}
        withCloseButton={false}
        title={t('keeping.importing')}
      >
        <Stack>
          <p role="status">
            {t('keeping.uploading', { share: formatShare(sent) })} {isRetrying && t('upload.retrying')}
          </p>
          <Progress aria-label={t('keeping.importing')} value={100 * sent} />
        </Stack>
      </Modal>
      {importId !== null && (
        <AgentMaking importId={importId} title={t('keeping.importing')} onClose={() => setImportId(null)} />
      )}
    </>
  );
}

/** The server's messages for a rejected upload; the browser's own for a broken connection aren't worth reading. */
function wordsOf(error: unknown): string {
  const isRefused =
    error instanceof UploadError && !['storage/retry-limit-exceeded', 'storage/unknown'].includes(error.code);
  return isRefused ? error.message : describeError(error);
}

/** Returns the upload's ID. It doesn't become a file: the import reads it directly. */
function upload(organizationId: string, file: File, events: TransferEvents): Promise<string> {
  const port = {
    scope: `import ${organizationId}`,
    metadata: { organizationId, purpose: 'agent' },
    send: () => Promise.reject(new Error('Agents are sent piece by piece.')),
    finish: async (uploadId: string) => uploadId,
    token: freshToken,
  };
  return sendResumable(file, port, events).run();
}
