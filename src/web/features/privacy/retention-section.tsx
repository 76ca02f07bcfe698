import { Button, NumberInput, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { RETENTION_MAX_DAYS } from '../../../contract/limits.ts';
import type { RetentionPreview } from '../../../contract/privacy.ts';
import { laterApi } from '../../api/later-api.ts';
import { formatDay, formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../queries/query-props.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { toast } from '../../toast.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { Section } from '../../ui/section.tsx';
import { useMay } from '../../session/use-role.ts';
import './messages.ts';

const keyOf = (id: string) => ['retention', id];

/** How long an agent keeps its conversations; shows what a change would delete before it is made. */
export function RetentionSection() {
  const id = useAgentId();
  const stored = useQuery({
    queryKey: keyOf(id),
    queryFn: async ({ signal }) => laterApi.privacy.getRetention({ id }, { signal }),
    staleTime: 0,
    meta: { failure: 'getRetention', quiet: true },
  });
  return (
    <Section title={t('privacy.retention')} lead={t('privacy.retentionText')}>
      <QueryView {...viewOf(stored)} shape="line">
        {({ days }) => <RetentionForm key={days} id={id} stored={days} />}
      </QueryView>
    </Section>
  );
}

function RetentionForm({ id, stored }: { id: string; stored: number | null }) {
  const mayWrite = useMay(useOrgId(), 'agent.write');
  const [days, setDays] = useState(stored);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => laterApi.privacy.setRetention({ id, days }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keyOf(id) });
      toast.success({ title: t('privacy.retentionSaved') });
    },
    meta: { failure: 'updateRetention' },
  });
  const isLess = days !== null && (stored === null || days < stored);
  return (
    <Stack>
      <NumberInput
        label={t('privacy.days')}
        min={1}
        max={RETENTION_MAX_DAYS}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="strict"
        disabled={!mayWrite}
        value={days ?? ''}
        onChange={(value) => setDays(typeof value === 'number' && value >= 1 ? value : null)}
      />
      {days !== null && <Preview id={id} days={days} />}
      <div>
        <Button
          {...(isLess && { color: 'danger' })}
          disabled={!mayWrite || days === stored}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          {t(isLess ? 'privacy.retentionSave' : 'ui.save')}
        </Button>
      </div>
    </Stack>
  );
}

function Preview({ id, days }: { id: string; days: number }) {
  const preview = useQuery({
    queryKey: ['retention-preview', id, days],
    queryFn: async ({ signal }) => (await laterApi.privacy.getRetention({ id, days }, { signal })).preview,
    staleTime: 0,
    meta: { failure: 'getRetention', quiet: true },
  });
  return (
    <div role="status" aria-label={t('privacy.preview')}>
      <QueryView {...viewOf(preview)} shape="line">
        {(found) => found && <WouldGo preview={found} />}
      </QueryView>
    </div>
  );
}

function WouldGo({ preview }: { preview: RetentionPreview }) {
  const { oldestKeptAt, ...counts } = preview;
  const { conversations, messages, files, people } = counts;
  return (
    <>
      <p>
        {t('privacy.wouldGo', {
          conversations: formatNumber(conversations),
          messages: formatNumber(messages),
          files: formatNumber(files),
          people: formatNumber(people),
        })}
      </p>
      <p>
        {oldestKeptAt === null
          ? t('privacy.noneKept')
          : t('privacy.oldestKept', { date: formatDay(oldestKeptAt) })}
      </p>
    </>
  );
}
