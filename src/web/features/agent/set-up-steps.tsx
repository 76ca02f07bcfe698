import { IconCheck, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { Chatbot } from '../../../contract/chatbot.ts';
import type { ListedKnowledge } from '../../../contract/knowledge.ts';
import { t } from '../../messages/t.ts';
import { testSetsQuery } from '../../queries/agent-queries.ts';
import { Hidden } from '../../ui/hidden.tsx';
import style from './set-up-steps.module.css';

interface SetUpStepsProps {
  orgId: string;
  agent: Chatbot;
  knowledge: readonly ListedKnowledge[];
}

export function SetUpSteps({ orgId, agent, knowledge }: SetUpStepsProps) {
  return <Steps orgId={orgId} agentId={agent.id} steps={firstSteps(agent, knowledge)} />;
}

export function FurtherSteps({ orgId, agent }: Omit<SetUpStepsProps, 'knowledge'>) {
  const { data: testSets = [] } = useQuery(testSetsQuery({ id: agent.id, organizationId: orgId }));
  return <Steps orgId={orgId} agentId={agent.id} steps={furtherSteps(agent, testSets.length > 0)} />;
}

function Steps({ orgId, agentId, steps }: { orgId: string; agentId: string; steps: readonly Step[] }) {
  const next = steps.find(({ done }) => !done);
  return (
    <ol className={style['steps']}>
      {steps.map((step) => (
        <li key={step.to}>
          <Link to={step.to} params={{ orgId, agentId }} className={style['step']} data-next={step === next}>
            <span className={style['mark']} data-done={step.done}>
              {step.done && <IconCheck size="1em" aria-hidden />}
            </span>
            <span className={style['text']}>
              <span className={style['title']}>
                {step.title}
                <Hidden>{step.done ? t('agent.stepDone') : t('agent.stepOpen')}</Hidden>
              </span>
              <span className={style['detail']}>{step.detail}</span>
            </span>
            <IconChevronRight size="1.15em" aria-hidden />
          </Link>
        </li>
      ))}
    </ol>
  );
}

interface Step {
  to: NonNullable<LinkProps['to']>;
  done: boolean;
  title: string;
  detail: string;
}

const AGENT = '/platform/{-$orgId}/agent/$agentId';

/** What an agent needs before it talks to people. */
function firstSteps(agent: Chatbot, knowledge: readonly ListedKnowledge[]): Step[] {
  const ready = knowledge.filter(({ progress }) => progress.state === 'ready').length;
  const hasInstructions = agent.customInstructions.trim() !== '';
  return [
    {
      to: `${AGENT}/knowledge`,
      done: ready > 0,
      title: t('agent.stepKnowledge'),
      detail:
        knowledge.length === 0
          ? t('agent.noKnowledge')
          : t('agent.knowledgeReady', { ready, count: knowledge.length }),
    },
    {
      to: `${AGENT}/settings/instructions`,
      done: hasInstructions,
      title: t('agent.stepInstructions'),
      detail: hasInstructions ? t('agent.hasInstructions') : t('agent.noInstructions'),
    },
    {
      to: `${AGENT}/settings/share`,
      done: agent.isPublic,
      title: t('agent.stepShare'),
      detail: agent.isPublic ? t('agent.isPublic') : t('agent.isPrivate'),
    },
  ];
}

/** What makes it better. */
function furtherSteps(agent: Chatbot, hasTests: boolean): Step[] {
  const { model } = agent.modelSettings;
  const greets = agent.welcomeMessage.trim() !== '' || agent.conversationStarters.length > 0;
  const isDressed = agent.appearance.skin !== 'parley' || agent.appearance.logo !== null;
  return [
    {
      to: `${AGENT}/settings/model`,
      done: model !== null,
      title: t('agent.stepModel'),
      detail: model === null ? t('agent.defaultModel') : t('agent.ownModel', { model }),
    },
    {
      to: `${AGENT}/settings/profile`,
      done: greets,
      title: t('agent.stepGreeting'),
      detail: greets ? t('agent.hasGreeting') : t('agent.noGreeting'),
    },
    {
      to: `${AGENT}/settings/profile/skins`,
      done: isDressed,
      title: t('agent.stepLook'),
      detail: isDressed ? t('agent.hasLook') : t('agent.noLook'),
    },
    {
      to: `${AGENT}/settings/tests`,
      done: hasTests,
      title: t('agent.stepTests'),
      detail: hasTests ? t('agent.hasTests') : t('agent.noTests'),
    },
    {
      to: `${AGENT}/settings/versions`,
      done: agent.liveVersion !== null,
      title: t('agent.stepPublish'),
      detail:
        agent.liveVersion === null
          ? t('agent.neverPublished')
          : t('agent.publishedVersion', { number: agent.liveVersion }),
    },
  ];
}
