import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { PlanSubscription } from '../../../contract/billing.ts';
import { api } from '../../api/api.ts';
import { formatDay } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { Badge } from '../../ui/badge.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Section } from '../../ui/section.tsx';
import style from './billing.module.css';
import { useChoosePlan } from './use-choose-plan.ts';

interface PlanNowProps {
  organizationId: string;
  subscription: PlanSubscription;
}

/** The current plan, what happens to it next, and any problems with it. */
export function PlanNow({ organizationId, subscription }: PlanNowProps) {
  const { planType, isTestMode, isLimited, state } = subscription;
  const portal = useMutation({
    mutationFn: () => api.billing.portal({ organizationId }),
    onSuccess: ({ url }) => window.location.assign(url),
    meta: { failure: 'getSubscription' },
  });
  return (
    <Section title={t('billing.plan')}>
      <Stack>
        <p className={style['now']}>
          <strong>{t(`plan.${planType}`)}</strong>
          {isTestMode && isLimited && <Badge tone="warning">{t('billing.testMode')}</Badge>}
        </p>
        {isTestMode && isLimited && <p className={style['soft']}>{t('billing.testModeText')}</p>}
        <Outlook organizationId={organizationId} subscription={subscription} />
        {state !== 'none' && (
          <div>
            <Button
              variant="default"
              loading={portal.isPending || portal.isSuccess}
              onClick={() => portal.mutate()}
            >
              {t('billing.portal')}
            </Button>
          </div>
        )}
      </Stack>
    </Section>
  );
}

function Outlook({ organizationId, subscription }: PlanNowProps) {
  const { planType, state, periodEndsAt, endsAtPeriodEnd, nextPlanType, holdsUntil } = subscription;
  const keep = useChoosePlan(organizationId);
  if (state === 'refunded' || state === 'disputed')
    return <Callout tone="bad">{t(`billing.${state}`)}</Callout>;
  if (holdsUntil !== null)
    return (
      <Callout tone="bad">
        {planType === 'FREE_PLAN'
          ? t('billing.unpaid')
          : t('billing.pastDue', { date: formatDay(holdsUntil) })}
      </Callout>
    );
  if (periodEndsAt === null || planType === 'FREE_PLAN')
    return planType === 'FREE_PLAN' ? <p className={style['soft']}>{t('billing.free')}</p> : null;
  const date = formatDay(periodEndsAt);
  if (!endsAtPeriodEnd && nextPlanType === null)
    return <p className={style['soft']}>{t('billing.renews', { date })}</p>;
  return (
    <>
      <Callout>
        {endsAtPeriodEnd || nextPlanType === null
          ? t('billing.endsOn', { date })
          : t('billing.nextPlan', { date, plan: t(`plan.${nextPlanType}`) })}
      </Callout>
      <div>
        <Button variant="default" loading={keep.isPending} onClick={() => keep.mutate(planType)}>
          {t('billing.keep', { plan: t(`plan.${planType}`) })}
        </Button>
      </div>
    </>
  );
}
