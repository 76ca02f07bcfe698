import { IconCheck, IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Chatbot } from '../../../contract/chatbot.ts';
import type { Knowledge } from '../../../contract/knowledge.ts';
import { t } from '../../messages/t.ts';
import { Hidden } from '../../ui/hidden.tsx';
import style from './set-up-steps.module.css';

interface SetUpStepsProps {
  orgId: string;
  agent: Chatbot;
  knowledge: readonly Knowledge[];
}

export function SetUpSteps({ orgId, agent, knowledge }: SetUpStepsProps) {
  const steps = stepsOf(agent, knowledge);
  const next = steps.find(({ done }) => !done);
  return (
    <ol className={style['steps']}>
      {steps.map((step) => (
        <li key={step.to}>
          <Link
            to={step.to}
            params={{ orgId, agentId: agent.id }}
            className={style['step']}
            data-next={step === next}
          >
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

function stepsOf(agent: Chatbot, knowledge: readonly Knowledge[]) {
  const ready = knowledge.filter(({ progress }) => progress.state === 'ready').length;
  const hasInstructions = agent.customInstructions.trim() !== '';
  return [
    {
      to: '/platform/{-$orgId}/agent/$agentId/knowledge',
      done: ready > 0,
      title: t('agent.stepKnowledge'),
      detail:
        knowledge.length === 0
          ? t('agent.noKnowledge')
          : t('agent.knowledgeReady', { ready, count: knowledge.length }),
    },
    {
      to: '/platform/{-$orgId}/agent/$agentId/settings/instructions',
      done: hasInstructions,
      title: t('agent.stepInstructions'),
      detail: hasInstructions ? t('agent.hasInstructions') : t('agent.noInstructions'),
    },
    {
      to: '/platform/{-$orgId}/agent/$agentId/settings/share',
      done: agent.isPublic,
      title: t('agent.stepShare'),
      detail: agent.isPublic ? t('agent.isPublic') : t('agent.isPrivate'),
    },
  ] as const;
}
