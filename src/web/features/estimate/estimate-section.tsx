import { Button, NumberInput, Stack, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { EstimateSetting } from '../../../contract/estimate.ts';
import { ESTIMATE_QUIET_MAX_MINUTES, ESTIMATES_PER_DAY_MAX } from '../../../contract/limits.ts';
import '../../parts/estimate-messages.ts';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../queries/query-props.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { toast } from '../../toast.ts';
import { Callout } from '../../ui/callout.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Section } from '../../ui/section.tsx';
import { useMay } from '../../session/use-role.ts';

const keyOf = (id: string) => ['estimate-setting', id];

/** Whether an agent's conversations are estimated, the cost, and the limit. */
export function EstimateSection() {
  const id = useAgentId();
  const stored = useQuery({
    queryKey: keyOf(id),
    queryFn: async ({ signal }) => laterApi.estimate.getSetting({ id }, { signal }),
    staleTime: 0,
    meta: { failure: 'getEstimates', quiet: true },
  });
  return (
    <Section title={t('estimate.title')} lead={t('estimate.lead')}>
      <QueryView {...viewOf(stored)} shape="line">
        {({ setting, hasModel }) => (
          <EstimateForm key={JSON.stringify(setting)} id={id} stored={setting} hasModel={hasModel} />
        )}
      </QueryView>
    </Section>
  );
}

interface EstimateFormProps {
  id: string;
  stored: EstimateSetting;
  hasModel: boolean;
}

function EstimateForm({ id, stored, hasModel }: EstimateFormProps) {
  const mayWrite = useMay(useOrgId(), 'agent.write');
  const [setting, setSetting] = useState(stored);
  const change = (more: Partial<EstimateSetting>) => setSetting({ ...setting, ...more });
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => laterApi.estimate.setSetting({ id, ...setting }),
    onSuccess: async () => {
      toast.success({ title: t('estimate.saved') });
      await queries.invalidateQueries({ queryKey: keyOf(id) });
    },
    meta: { failure: 'updateEstimates' },
  });
  const number = (field: 'quietMinutes' | 'perDay', max: number) => (
    <NumberInput
      label={t(`estimate.${field}`)}
      min={1}
      max={max}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="strict"
      disabled={!mayWrite}
      value={setting[field]}
      onChange={(value) => typeof value === 'number' && value >= 1 && change({ [field]: value })}
    />
  );
  return (
    <Stack>
      {!hasModel && <Callout>{t('estimate.noModel')}</Callout>}
      <Switch
        label={t('estimate.enabled')}
        checked={setting.enabled}
        disabled={!mayWrite}
        onChange={({ currentTarget: { checked } }) => change({ enabled: checked })}
      />
      {setting.enabled && number('quietMinutes', ESTIMATE_QUIET_MAX_MINUTES)}
      {setting.enabled && number('perDay', ESTIMATES_PER_DAY_MAX)}
      <div>
        <Button
          variant="default"
          disabled={!mayWrite || JSON.stringify(setting) === JSON.stringify(stored)}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          {t('ui.save')}
        </Button>
      </div>
    </Stack>
  );
}
