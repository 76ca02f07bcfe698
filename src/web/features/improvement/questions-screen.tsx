import { Link, useSearch } from '@tanstack/react-router';
import { clusterViews, isView } from './views.ts';
import { t } from '../../messages/t.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { buttonClass } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Clusters } from './clusters.tsx';
import style from './improvement.module.css';
import './messages.ts';
import { Topics } from './topics.tsx';

/** What an agent is asked, what it could not answer, and what became of that. */
export function QuestionsScreen() {
  const orgId = useOrgId();
  const agentId = useAgentId();
  const { view: wanted, cluster } = useSearch({ from: '/platform/{-$orgId}/agent/$agentId/questions' });
  const view = isView(wanted) ? wanted : 'open';
  return (
    <div className={style['page']}>
      <PageHeader
        title={t('improvement.title')}
        lead={t('improvement.lead')}
        actions={
          <Link
            className={buttonClass('plain')}
            to="/platform/{-$orgId}/agent/$agentId/conversations"
            params={{ orgId, agentId }}
          >
            {t('improvement.conversations')}
          </Link>
        }
      />
      <nav className={style['views']} aria-label={t('improvement.views')}>
        {clusterViews.map((each) => (
          <Link
            key={each}
            to="/platform/{-$orgId}/agent/$agentId/questions"
            params={{ orgId, agentId }}
            search={each === 'open' ? {} : { view: each }}
            className={each === view ? style['chosen'] : undefined}
            aria-current={each === view ? 'page' : undefined}
          >
            {t(`improvement.view.${each}`)}
          </Link>
        ))}
      </nav>
      {view === 'topics' ? (
        <Topics agentId={agentId} />
      ) : (
        <Clusters
          key={view}
          agentId={agentId}
          state={view}
          opened={typeof cluster === 'string' ? cluster : null}
        />
      )}
    </div>
  );
}
