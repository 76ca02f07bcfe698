import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import type { PlanNumbers, PlanSubscription } from '../../../contract/billing.ts';
import { RETENTION_MAX_DAYS } from '../../../contract/limits.ts';
import type { PlanType } from '../../../contract/plans.ts';
import { formatBytes, formatDay, formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { Badge } from '../../ui/badge.tsx';
import style from './billing.module.css';
import { ChangePlan } from './change-plan.tsx';
import { priceOf } from './price-of.ts';

interface PlanCardsProps {
  organizationId: string;
  subscription: PlanSubscription;
}

/** All plans side by side. */
export function PlanCards({ organizationId, subscription }: PlanCardsProps) {
  const { plans, planType } = subscription;
  const next = comingPlan(subscription);
  const [chosen, setChosen] = useState<PlanType | null>(null);
  const id = useId();
  const numbers = plans.find(({ type }) => type === chosen)?.numbers;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={style['title']}>
        {t('billing.plans')}
      </h2>
      <div className={style['plans']}>
        {plans.map(({ type, numbers: each }) => (
          <PlanCard
            key={type}
            type={type}
            numbers={each}
            isCurrent={type === planType}
            from={type === next?.type ? next.from : null}
            onChoose={() => setChosen(type)}
          />
        ))}
      </div>
      {chosen !== null && numbers && (
        <ChangePlan
          organizationId={organizationId}
          planType={chosen}
          numbers={numbers}
          onClose={() => setChosen(null)}
        />
      )}
    </section>
  );
}

interface PlanCardProps {
  type: PlanType;
  numbers: PlanNumbers;
  isCurrent: boolean;
  /** When the plan starts automatically; null: it doesn't. */
  from: string | null;
  onChoose: () => void;
}

function PlanCard({ type, numbers, isCurrent, from, onChoose }: PlanCardProps) {
  const name = t(`plan.${type}`);
  return (
    <article className={`${style['plan']} ${isCurrent ? style['current'] : ''}`} aria-label={name}>
      <header className={style['planHead']}>
        <h3>{name}</h3>
        {isCurrent && <Badge tone="accent">{t('billing.current')}</Badge>}
        {from !== null && <Badge>{t('billing.comesOn', { date: formatDay(from) })}</Badge>}
      </header>
      <p className={style['price']}>{t('billing.price', { price: priceOf(numbers) })}</p>
      <ul className={style['facts']}>
        {counted.map((fact) => (
          <li key={fact}>{t(`billing.fact.${fact}`, { count: formatNumber(numbers[fact]) })}</li>
        ))}
        <li>{insightsOf(numbers)}</li>
        {measured.map((fact) => (
          <li key={fact}>{t(`billing.fact.${fact}`, { count: formatBytes(numbers[fact]) })}</li>
        ))}
        <li>{t(`billing.resync.${numbers.resyncEvery}`)}</li>
      </ul>
      {!isCurrent && from === null && (
        <Button variant="default" fullWidth onClick={onChoose}>
          {t('billing.choose', { plan: name })}
        </Button>
      )}
    </article>
  );
}

/** The plan that follows at the end of the period. */
function comingPlan({ planType, periodEndsAt: from, endsAtPeriodEnd, nextPlanType }: PlanSubscription) {
  const type = endsAtPeriodEnd ? 'FREE_PLAN' : nextPlanType;
  return from === null || type === null || planType === 'FREE_PLAN' ? undefined : { type, from };
}

const counted = [
  'creditsAMonth',
  'agents',
  'members',
  'teams',
  'crawlPages',
  'toolsAnAgent',
  'products',
  'requestsAMinute',
] as const;
const measured = ['knowledgeBytes', 'storedBytes', 'largestFileBytes'] as const;

/** The largest plan shows everything that is retained. */
function insightsOf({ insightDays }: PlanNumbers): string {
  if (insightDays >= RETENTION_MAX_DAYS) return t('billing.fact.insights');
  return t('billing.fact.insightDays', { count: formatNumber(insightDays) });
}
