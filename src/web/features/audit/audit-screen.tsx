import { Stack } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import type { AuditEntry } from '../../../contract/audit.ts';
import { t } from '../../messages/t.ts';
import { Permitted } from '../../permitted.tsx';
import { describeError } from '../../query-client.ts';
import { useOrgId } from '../../route-params.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { useSettled } from '../../use-settled.ts';
import { AuditFilters } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';
import { ExportAudit } from './export-audit.tsx';
import { useAudit, wholeLog, type AuditFilter } from './use-audit.ts';

/** Who changed what, when and from where. */
export function AuditScreen() {
  return (
    <Permitted permission="organization.manage" title={t('audit.title')}>
      <Audit orgId={useOrgId()} />
    </Permitted>
  );
}

function Audit({ orgId }: { orgId: string }) {
  const [filter, setFilter] = useState<AuditFilter>(wholeLog);
  const log = useAudit(orgId, { ...filter, search: useSettled(filter.search.trim()) });
  const entries = log.data?.pages.flatMap((page) => page.entries);
  return (
    <>
      <PageHeader
        title={t('audit.title')}
        lead={t('audit.lead')}
        actions={<ExportAudit orgId={orgId} filter={filter} />}
      />
      <Stack>
        <AuditFilters orgId={orgId} filter={filter} onChange={setFilter} entries={entries ?? []} />
        <Entries log={log} entries={entries} />
      </Stack>
    </>
  );
}

interface EntriesProps {
  log: ReturnType<typeof useAudit>;
  entries: AuditEntry[] | undefined;
}

function Entries({ log, entries }: EntriesProps) {
  const error = log.error && describeError(log.error);
  return (
    <QueryView data={entries} error={error} onRetry={() => void log.refetch()}>
      {(list) =>
        list.length === 0 ? (
          <Notice
            icon={<IconHistory size="1.25em" aria-hidden />}
            title={t('audit.none')}
            text={t('audit.noneText')}
          />
        ) : (
          <>
            <AuditTable entries={list} />
            <ShowMore
              isMore={log.hasNextPage}
              busy={log.isFetchingNextPage}
              onMore={() => void log.fetchNextPage()}
            />
          </>
        )
      }
    </QueryView>
  );
}
