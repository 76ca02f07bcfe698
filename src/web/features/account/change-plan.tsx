import { Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PlanChange, PlanNumbers } from '../../../contract/billing.ts';
import type { PlanType } from '../../../contract/plans.ts';
import { api } from '../../api/api.ts';
import { formatDay } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../queries/query-props.ts';
import { Callout } from '../../ui/callout.tsx';
import { Modal } from '../../ui/modal.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { formatCount } from '../../parts/usage-meters.tsx';
import { priceOf } from './price-of.ts';
import { useChoosePlan } from './use-choose-plan.ts';

interface ChangePlanProps {
  organizationId: string;
  planType: PlanType;
  numbers: PlanNumbers;
  onClose: () => void;
}

/** Shows the consequences of a change before it is made. */
export function ChangePlan({ organizationId, planType, numbers, onClose }: ChangePlanProps) {
  const change = useQuery({
    queryKey: ['plan-change', organizationId, planType],
    queryFn: async ({ signal }) =>
      (await api.billing.previewChange({ organizationId, planType }, { signal })).change,
    gcTime: 0,
    meta: { failure: 'getSubscription', quiet: true },
  });
  const choose = useChoosePlan(organizationId);
  const isPaid = change.data?.takesEffect === 'checkout';
  const confirm = () =>
    choose.mutate(planType, { onSuccess: ({ url }) => (url === null ? onClose() : undefined) });
  return (
    <Modal opened onClose={onClose} title={t('billing.changeTo', { plan: t(`plan.${planType}`) })}>
      <Stack>
        <QueryView {...viewOf(change)} shape="line">
          {(found) => <Consequences change={found} price={priceOf(numbers)} />}
        </QueryView>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button
            disabled={!change.data}
            loading={choose.isPending || (isPaid && choose.isSuccess)}
            onClick={confirm}
          >
            {t(isPaid ? 'billing.pay' : 'billing.confirm')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Consequences({ change: { takesEffect, at, over }, price }: { change: PlanChange; price: string }) {
  return (
    <>
      <p>{t(`billing.takes.${takesEffect}`, { price, date: at === null ? '' : formatDay(at) })}</p>
      {over.length > 0 && (
        <Callout tone="bad">
          <div>
            <p>{t('billing.over')}</p>
            <ul>
              {over.map(({ kind, used, limit }) => (
                <li key={kind}>
                  {t('billing.overItem', {
                    kind: t(`billing.kind.${kind}`),
                    used: formatCount(kind, used),
                    limit: formatCount(kind, limit),
                  })}
                </li>
              ))}
            </ul>
            <p>{t('billing.overText')}</p>
          </div>
        </Callout>
      )}
    </>
  );
}
