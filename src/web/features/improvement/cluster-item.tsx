import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import type { QuestionCluster } from '../../../contract/improvement.ts';
import { formatRelativeTime } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { Card } from '../../ui/card.tsx';
import { useMay } from '../../session/use-role.ts';
import { AnswerForm } from './answer-form.tsx';
import { DismissForm } from './dismiss-form.tsx';
import style from './improvement.module.css';
import { languageName } from './language-name.ts';
import { useChange } from './use-questions.ts';
import { laterApi } from '../../api/later-api.ts';

interface ClusterItemProps {
  agentId: string;
  cluster: QuestionCluster;
  isOpened: boolean;
}

/** A question several people have asked, in all their wordings. */
export function ClusterItem({ agentId, cluster, isOpened }: ClusterItemProps) {
  const mayWrite = useMay(useOrgId(), 'agent.write');
  const [doing, setDoing] = useState<'answer' | 'dismiss' | null>(isOpened && mayWrite ? 'answer' : null);
  const panel = useId();
  const close = () => setDoing(null);
  const toggle = (what: 'answer' | 'dismiss') => ({
    'aria-expanded': doing === what,
    'aria-controls': panel,
    onClick: () => setDoing(doing === what ? null : what),
  });
  return (
    <li>
      <Card>
        <h2 className={style['title']}>{cluster.title || t('improvement.gone')}</h2>
        <Facts agentId={agentId} cluster={cluster} />
        {mayWrite && (
          <Group gap="xs">
            <Button size="xs" variant={cluster.state === 'open' ? 'filled' : 'default'} {...toggle('answer')}>
              {t(cluster.state === 'answered' ? 'improvement.change' : 'improvement.answer')}
            </Button>
            {cluster.state === 'open' ? (
              <Button size="xs" variant="default" {...toggle('dismiss')}>
                {t('improvement.dismiss')}
              </Button>
            ) : (
              <Reopen agentId={agentId} clusterId={cluster.id} />
            )}
          </Group>
        )}
        <div id={panel}>
          {doing === 'answer' && <AnswerForm agentId={agentId} cluster={cluster} onDone={close} />}
          {doing === 'dismiss' && <DismissForm agentId={agentId} clusterId={cluster.id} onDone={close} />}
        </div>
      </Card>
    </li>
  );
}

function Reopen({ agentId, clusterId }: { agentId: string; clusterId: string }) {
  const reopen = useChange(agentId, () => laterApi.improvement.reopenCluster({ id: agentId, clusterId }));
  return (
    <Button size="xs" variant="default" loading={reopen.isPending} onClick={() => reopen.mutate(undefined)}>
      {t('improvement.reopen')}
    </Button>
  );
}

function Facts({ agentId, cluster }: Pick<ClusterItemProps, 'agentId' | 'cluster'>) {
  const { count, lastAskedAt, languages, reason, state, answer } = cluster;
  const orgId = useOrgId();
  const asked = [
    t('improvement.count#', { count }),
    lastAskedAt && t('improvement.last', { when: formatRelativeTime(lastAskedAt) }),
    languages.map(languageName).join(', '),
  ];
  return (
    <>
      <p className={style['facts']}>{asked.filter(Boolean).join(' · ')}</p>
      {state === 'dismissed' && reason !== '' && (
        <p className={style['facts']}>{t('improvement.because', { reason })}</p>
      )}
      {answer && (
        <p className={style['facts']}>
          {t('improvement.again', { asked: answer.askedAgain, answered: answer.answeredAgain })}
          {answer.knowledgeId !== null && (
            <>
              {' · '}
              <Link
                to="/platform/{-$orgId}/agent/$agentId/knowledge/$knowledgeId"
                params={{ orgId, agentId, knowledgeId: answer.knowledgeId }}
              >
                {t('improvement.pair')}
              </Link>
            </>
          )}
        </p>
      )}
    </>
  );
}
