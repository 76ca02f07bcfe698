import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { subscriptionQuery } from '../../queries/billing-queries.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../queries/query-props.ts';
import { buttonClass, PlainButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { QueryView } from '../../ui/query-view.tsx';

const LOOK_EVERY_MS = 1000;
/** After this long the page says that it takes longer; nobody waits forever. */
const PATIENCE_MS = 30_000;

/** Where a person returns to after paying for a plan. That alone has no effect: it waits for what the provider reports. */
export function PlanChosen({ organizationId }: { organizationId: string }) {
  const [tries, setTries] = useState(0);
  const isPatient = usePatience(tries);
  const subscription = useQuery({
    ...subscriptionQuery(organizationId),
    refetchInterval: ({ state: { data } }) => (isPaid(data?.state) || !isPatient ? false : LOOK_EVERY_MS),
  });
  return (
    <QueryView {...viewOf(subscription)} shape="card">
      {({ state, planType }) =>
        isPaid(state) ? (
          <Notice
            level={1}
            role="status"
            title={t('billing.begun', { plan: t(`plan.${planType}`) })}
            text={t('billing.begunText')}
            action={<ToBilling organizationId={organizationId} />}
          />
        ) : (
          <Waiting
            isPatient={isPatient}
            organizationId={organizationId}
            onAgain={() => setTries((made) => made + 1)}
          />
        )
      }
    </QueryView>
  );
}

function isPaid(state: string | undefined): boolean {
  return state === 'active' || state === 'trialing';
}

/** True for a while after each attempt. */
function usePatience(tries: number): boolean {
  const [over, setOver] = useState(-1);
  useEffect(() => {
    const timer = setTimeout(() => setOver(tries), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [tries]);
  return over !== tries;
}

interface WaitingProps {
  organizationId: string;
  isPatient: boolean;
  onAgain: () => void;
}

function Waiting({ organizationId, isPatient, onAgain }: WaitingProps) {
  if (isPatient)
    return <Notice level={1} role="status" title={t('billing.waiting')} text={t('billing.waitingText')} />;
  return (
    <Notice
      level={1}
      role="status"
      title={t('billing.slow')}
      text={t('billing.slowText')}
      action={
        <>
          <PlainButton kind="primary" onClick={onAgain}>
            {t('billing.lookAgain')}
          </PlainButton>{' '}
          <ToBilling organizationId={organizationId} />
        </>
      }
    />
  );
}

function ToBilling({ organizationId }: { organizationId: string }) {
  return (
    <Link
      className={buttonClass('plain')}
      to="/platform/{-$orgId}/account/billing"
      params={{ orgId: organizationId }}
    >
      {t('billing.toBilling')}
    </Link>
  );
}
