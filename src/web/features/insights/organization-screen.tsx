import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { InsightPeriod } from '../../../contract/insight-periods.ts';
import type { MemberInsight, OrganizationInsight } from '../../../contract/insight.ts';
import { formatNumber, formatShare } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { Person } from '../../ui/person.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { costOf } from './cost.ts';
import { formatDuration } from './duration.ts';
import { Estimated } from './estimated.tsx';
import { Head } from './head.tsx';
import { InsightView } from './insight-view.tsx';
import style from './insights.module.css';
import { Measures } from './measures.tsx';
import './messages.ts';
import { Numbers } from './numbers.tsx';
import { periodOf } from './period.ts';
import { ReportChoice } from './report-choice.tsx';
import { TimeChart } from './time-chart.tsx';
import { useOrganizationInsight } from './use-insights.ts';

/** All agents together, each agent, and what members did in the inbox. */
export function OrganizationInsightsScreen({ period: wanted }: { period: string | undefined }) {
  const period = periodOf(wanted);
  const organizationId = useOrgId();
  const insight = useOrganizationInsight(organizationId, period);
  return (
    <div className={style['page']}>
      <Head
        title={t('insights.organization')}
        lead={t('insights.organizationLead')}
        subject={{ organizationId }}
        period={period}
      />
      <InsightView orgId={organizationId} insight={insight}>
        {(found) => (
          <>
            <Numbers {...found} />
            <Estimated {...found} />
            <TimeChart {...found} />
            <Agents orgId={organizationId} period={period} agents={found.agents} />
            <Members members={found.members} />
            <Measures {...found} />
          </>
        )}
      </InsightView>
      <ReportChoice organizationId={organizationId} />
    </div>
  );
}

const AGENTS_AT_ONCE = 20;

interface AgentsProps {
  orgId: string;
  period: InsightPeriod;
  agents: OrganizationInsight['agents'];
}

function Agents({ orgId, period, agents }: AgentsProps) {
  const [shown, setShown] = useState(AGENTS_AT_ONCE);
  const columns = ['conversations', 'people', 'messages', 'answerRate', 'unanswered'] as const;
  return (
    <section className={style['part']} aria-labelledby="agents">
      <h2 id="agents">{t('insights.agents')}</h2>
      <DataTable
        label={t('insights.agents')}
        columns={[
          t('insights.agent'),
          ...columns.map((column) => t(`insights.${column}`)),
          t('insights.cost'),
        ]}
      >
        {agents.slice(0, shown).map(({ id, name, now }) => (
          <tr key={id}>
            <Cell kind="main">
              <Link
                to="/platform/{-$orgId}/agent/$agentId/insights"
                params={{ orgId, agentId: id }}
                search={{ period }}
              >
                {name}
              </Link>
            </Cell>
            {columns.map((column) => (
              <Cell key={column} label={t(`insights.${column}`)}>
                {column === 'answerRate' ? rateOf(now.answerRate) : formatNumber(now[column])}
              </Cell>
            ))}
            <Cell label={t('insights.cost')}>{costOf(now)}</Cell>
          </tr>
        ))}
      </DataTable>
      <ShowMore isMore={agents.length > shown} onMore={() => setShown(shown + AGENTS_AT_ONCE)} />
    </section>
  );
}

const rateOf = (rate: number | null) => (rate === null ? '–' : formatShare(rate));

function Members({ members }: { members: readonly MemberInsight[] }) {
  const columns = ['member', 'replies', 'takeovers', 'waited'] as const;
  return (
    <section className={style['part']} aria-labelledby="members">
      <h2 id="members">{t('insights.members')}</h2>
      {members.length === 0 ? (
        <p>{t('insights.noMembers')}</p>
      ) : (
        <DataTable label={t('insights.members')} columns={columns.map((column) => t(`insights.${column}`))}>
          {members.map(({ userId, name, profilePhoto, answers, takeovers, waitSeconds }) => (
            <tr key={userId}>
              <Cell kind="main">
                <Person name={name} photo={profilePhoto} title={name} />
              </Cell>
              <Cell label={t('insights.replies')}>{formatNumber(answers)}</Cell>
              <Cell label={t('insights.takeovers')}>{formatNumber(takeovers)}</Cell>
              <Cell label={t('insights.waited')}>
                {waitSeconds === null ? '–' : formatDuration(waitSeconds * 1000)}
              </Cell>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}
