import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { laterApi } from '../../api/later-api.ts';
import { download } from '../../download.ts';
import { t } from '../../messages/t.ts';
import { inputOf, type AuditFilter } from './use-audit.ts';

/** Saves the filtered log as a file. */
export function ExportAudit({ orgId, filter }: { orgId: string; filter: AuditFilter }) {
  const save = useMutation({
    mutationFn: async () => (await laterApi.audit.export({ organizationId: orgId, ...inputOf(filter) })).csv,
    onSuccess: (csv) => download({ name: 'audit.csv', type: 'text/csv', content: csv }),
    meta: { failure: 'getAudit' },
  });
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size="1.15em" aria-hidden />}
      loading={save.isPending}
      onClick={() => save.mutate()}
    >
      {t('audit.export')}
    </Button>
  );
}
