import { Stack } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../messages/t.ts';
import { Permitted } from '../../session/permitted.tsx';
import { listOf, moreOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { useSettled } from '../../hooks/use-settled.ts';
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
  const list = listOf(log, (page) => page.entries);
  return (
    <>
      <PageHeader
        title={t('audit.title')}
        lead={t('audit.lead')}
        actions={<ExportAudit orgId={orgId} filter={filter} />}
      />
      <Stack>
        <AuditFilters orgId={orgId} filter={filter} onChange={setFilter} entries={list.data ?? []} />
        <QueryView {...list}>
          {(entries) =>
            entries.length === 0 ? (
              <Notice
                icon={<IconHistory size="1.25em" aria-hidden />}
                title={t('audit.none')}
                text={t('audit.noneText')}
              />
            ) : (
              <AuditTable entries={entries} />
            )
          }
        </QueryView>
        <ShowMore {...moreOf(log)} />
      </Stack>
    </>
  );
}
