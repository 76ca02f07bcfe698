import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import style from './first-steps.module.css';
import { t } from '../messages/t.ts';
import { onboardingQuery } from '../queries/people-queries.ts';
import { agentsQuery } from '../queries/queries.ts';
import { PlainButton } from '../ui/button.tsx';
import { Hidden } from '../ui/hidden.tsx';
import { useRecordStep } from './use-record-step.ts';

type Event = 'organization-created' | 'agent-created' | 'knowledge-added' | 'asked' | 'shared' | 'invited';

/** The first steps, with completed ones ticked. With an organization, the open ones link to where they are done. */
export function FirstSteps({ orgId }: { orgId?: string }) {
  const { data } = useQuery(onboardingQuery());
  const steps = (data?.steps ?? []).flatMap(({ event, done }) =>
    event === 'dismissed' ? [] : [{ event, done }],
  );
  return (
    <ol className={style['steps']}>
      {steps.map(({ event, done }) => (
        <li key={event} data-done={done}>
          <span className={style['mark']}>{done && <IconCheck size="1em" aria-hidden />}</span>
          <span>
            {orgId && !done ? <StepLink event={event} orgId={orgId} /> : t(`onboarding.${event}`)}
            <Hidden>{done ? t('agent.stepDone') : t('agent.stepOpen')}</Hidden>
          </span>
        </li>
      ))}
    </ol>
  );
}

/** The first steps above a list, until all are done or they are dismissed. */
export function FirstStepsCard({ orgId }: { orgId: string }) {
  const { data } = useQuery(onboardingQuery());
  const dismiss = useRecordStep();
  const isOver =
    !data || data.dismissed || data.steps.every(({ done, event }) => done || event === 'dismissed');
  if (isOver) return null;
  return (
    <section className={style['card']} aria-labelledby="first-steps">
      <header className={style['head']}>
        <h2 id="first-steps">{t('onboarding.title')}</h2>
        <PlainButton disabled={dismiss.isPending} onClick={() => dismiss.mutate('dismissed')}>
          {t('onboarding.dismiss')}
        </PlainButton>
      </header>
      <FirstSteps orgId={orgId} />
    </section>
  );
}

function StepLink({ event, orgId }: { event: Event; orgId: string }) {
  const { data: agents = [] } = useQuery(agentsQuery(orgId));
  const agentId = agents[0]?.id;
  const text = t(`onboarding.${event}`);
  if (event === 'organization-created') return text;
  if (event === 'invited')
    return (
      <Link to="/platform/{-$orgId}/account/members/invite" params={{ orgId }}>
        {text}
      </Link>
    );
  if (event === 'agent-created' || agentId === undefined)
    return (
      <Link to="/platform/{-$orgId}/agent/create" params={{ orgId }}>
        {text}
      </Link>
    );
  return (
    <Link to={placeOf[event]} params={{ orgId, agentId }}>
      {text}
    </Link>
  );
}

const placeOf = {
  'knowledge-added': '/platform/{-$orgId}/agent/$agentId/knowledge',
  asked: '/platform/{-$orgId}/agent/$agentId/home',
  shared: '/platform/{-$orgId}/agent/$agentId/settings/share',
} as const;
