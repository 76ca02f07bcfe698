import { Button, Group, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { DATA_EXPORT_KEPT_HOURS } from '../../../contract/limits.ts';
import type { DataExport } from '../../../contract/privacy.ts';
import { laterApi } from '../../api/later-api.ts';
import { formatBytes, formatExactTime } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { Callout } from '../../ui/callout.tsx';
import { HowFar } from '../../ui/how-far.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Section } from '../../ui/section.tsx';
import { useMay } from '../../session/use-role.ts';
import './messages.ts';

const LOOK_EVERY_MS = 1000;

export function OwnExport() {
  return (
    <ExportSection
      title={t('privacy.yours')}
      lead={t('privacy.yoursText', { hours: DATA_EXPORT_KEPT_HOURS })}
      queryKey={['data-export']}
      read={async () => (await laterApi.privacy.getExport({})).export}
      begin={async () => (await laterApi.privacy.beginExport({})).export}
    />
  );
}

/** Only an owner can export everything. */
export function OrganizationExport() {
  const id = useOrgId();
  if (!useMay(id, 'organization.own')) return null;
  return (
    <ExportSection
      title={t('privacy.organization')}
      lead={t('privacy.organizationText', { hours: DATA_EXPORT_KEPT_HOURS })}
      queryKey={['data-export', id]}
      read={async () => (await laterApi.privacy.getExport({ of: id })).export}
      begin={async () => (await laterApi.privacy.beginExport({ of: id })).export}
    />
  );
}

interface ExportSectionProps {
  title: string;
  lead: string;
  queryKey: string[];
  read: () => Promise<DataExport | null>;
  begin: () => Promise<DataExport>;
}

function ExportSection({ title, lead, queryKey, read, begin }: ExportSectionProps) {
  const queries = useQueryClient();
  const newest = useQuery({
    queryKey,
    queryFn: read,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (isUnderWay(data) ? LOOK_EVERY_MS : false),
    meta: { failure: 'getDataExport', quiet: true },
  });
  const make = useMutation({
    mutationFn: begin,
    onSuccess: (made) => queries.setQueryData(queryKey, made),
    meta: { failure: 'createDataExport' },
  });
  return (
    <Section title={title} lead={lead}>
      <QueryView {...viewOf(newest)} shape="line">
        {(found) => (
          <Stack>
            {found?.state === 'failed' && <Callout tone="bad">{t('privacy.failed')}</Callout>}
            {found && isUnderWay(found) && <Progress made={found} title={title} />}
            <Group>
              {found?.state === 'ready' && <Ready made={found} />}
              <Button
                variant="default"
                loading={make.isPending}
                disabled={isUnderWay(found)}
                onClick={() => make.mutate()}
              >
                {t(found?.state === 'ready' ? 'privacy.writeAnew' : 'privacy.write')}
              </Button>
            </Group>
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}

function isUnderWay(found: DataExport | null | undefined): boolean {
  return found?.state === 'queued' || found?.state === 'writing';
}

function Progress({ made: { done, total }, title }: { made: DataExport; title: string }) {
  return (
    <div role="status">
      <HowFar label={title} value={done} max={total} />
      <p>{total === 0 ? t('privacy.waiting') : t('privacy.writing', { done, total })}</p>
    </div>
  );
}

function Ready({ made: { id, bytes, expiresAt } }: { made: DataExport }) {
  return (
    <>
      <Button
        component="a"
        href={`/v1/privacy/export/${id}`}
        download
        leftSection={<IconDownload size="1.15em" aria-hidden />}
      >
        {t('privacy.download', { size: formatBytes(bytes ?? 0) })}
      </Button>
      <span>{t('privacy.until', { date: formatExactTime(expiresAt) })}</span>
    </>
  );
}
