import { IconChartBar } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import type { Insight } from '../../../contract/insight.ts';
import { t } from '../../messages/t.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { useKnownMay } from '../../session/use-role.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Estimated } from './estimated.tsx';
import { Head } from './head.tsx';
import { InsightView } from './insight-view.tsx';
import style from './insights.module.css';
import { Measures } from './measures.tsx';
import './messages.ts';
import { Numbers } from './numbers.tsx';
import { periodOf } from './period.ts';
import { Channels, Countries, Languages, Sources } from './shares.tsx';
import { TimeChart } from './time-chart.tsx';
import { useInsight } from './use-insights.ts';
import { WeekMap } from './week-map.tsx';
import { later } from '../../ui/later.ts';

const Links = later(async () => (await import('./parts.ts')).InsightLinks);

interface InsightsScreenProps {
  /** As in the address. */
  period: string | undefined;
  /** The list of unanswered questions, shown after the charts. */
  unanswered?: ReactNode;
}

/** An agent's performance: the key numbers, then charts, then what it could not answer. */
export function InsightsScreen({ period: wanted, unanswered }: InsightsScreenProps) {
  const period = periodOf(wanted);
  const agentId = useAgentId();
  const orgId = useOrgId();
  const insight = useInsight(agentId, period);
  return (
    <div className={style['page']}>
      <Head
        title={t('insights.title')}
        lead={t('insights.lead')}
        subject={{ agentId }}
        period={period}
        actions={
          <Link
            to="/platform/{-$orgId}/insights"
            params={{ orgId }}
            search={{ period }}
            className={buttonClass('plain')}
          >
            {t('insights.all')}
          </Link>
        }
      />
      <InsightView orgId={orgId} insight={insight}>
        {(found) =>
          isEmpty(found) ? (
            <Nothing agentId={agentId} />
          ) : (
            <Charts orgId={orgId} agentId={agentId} insight={found} />
          )
        }
      </InsightView>
      {unanswered}
      {useKnownMay(orgId, 'agent.write') && (
        <Suspense>
          <Links agentId={agentId} />
        </Suspense>
      )}
    </div>
  );
}

const isEmpty = ({ now, before, revenue }: Insight): boolean =>
  now.messages === 0 && now.handovers === 0 && before.messages === 0 && revenue.length === 0;

function Nothing({ agentId }: { agentId: string }) {
  return (
    <Notice
      icon={<IconChartBar size="1.25em" aria-hidden />}
      title={t('insights.empty')}
      text={t('insights.emptyText')}
      action={
        <Link to="/chat/{-$id}" params={{ id: agentId }} className={buttonClass('primary')}>
          {t('insights.openChat')}
        </Link>
      }
    />
  );
}

function Charts({ orgId, agentId, insight }: { orgId: string; agentId: string; insight: Insight }) {
  return (
    <>
      <Numbers {...insight} />
      <Estimated {...insight} />
      <TimeChart {...insight} />
      <WeekMap found={insight.hours} timeZone={insight.timeZone} />
      <div className={style['pair']}>
        <Sources orgId={orgId} agentId={agentId} sources={insight.sources} />
        <Channels insight={insight} />
        <Countries insight={insight} />
        <Languages insight={insight} linkOf={linksToConversations(orgId, agentId)} />
      </div>
      <Measures {...insight} />
    </>
  );
}

const linksToConversations = (orgId: string, agentId: string) => (language: string, name: string) => (
  <Link
    to="/platform/{-$orgId}/agent/$agentId/conversations"
    params={{ orgId, agentId }}
    search={{ language }}
  >
    {name}
  </Link>
);
