import { IconLinkOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { InsightPeriod } from '../../../contract/insight-periods.ts';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { isNotFound, viewOf } from '../../queries/query-props.ts';
import { useStore } from '../../store.ts';
import { scheme } from '../../theme.ts';
import { buttonClass } from '../../ui/button.tsx';
import { MantineRoot } from '../../ui/mantine-root.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import style from './insights.module.css';
import './messages.ts';
import { Numbers } from './numbers.tsx';
import { timeZone } from '../../time-zone.ts';
import { periodOf } from './period.ts';
import { PeriodChoice } from './period-choice.tsx';
import { Channels, Countries, Languages } from './shares.tsx';
import { TimeChart } from './time-chart.tsx';
import { WeekMap } from './week-map.tsx';

/** An agent's numbers for everyone who was given the address. */
export function PublicInsightsScreen() {
  const { token = '' } = useParams({ strict: false });
  const { period: wanted } = useSearch({ strict: false }) as {
    period?: unknown;
  };
  const period = periodOf(String(wanted));
  const shown = useShown(token, period);
  const chosen = useStore(scheme);
  // An expired link and one that never existed look the same.
  if (!shown.data && isNotFound(shown.error)) return <LinkOver />;
  return (
    <MantineRoot scheme={chosen}>
      <QueryView {...viewOf(shown)} shape="card">
        {({ agentName, periods, insight }) => (
          <div className={style['page']}>
            <PageHeader title={agentName} lead={t('insights.publicLead')} />
            <PeriodChoice chosen={period} among={periods} />
            <Numbers {...insight} />
            <TimeChart {...insight} />
            <WeekMap found={insight.hours} timeZone={insight.timeZone} />
            <div className={style['pair']}>
              <Channels insight={insight} />
              <Countries insight={insight} />
              <Languages insight={insight} />
            </div>
          </div>
        )}
      </QueryView>
    </MantineRoot>
  );
}

function LinkOver() {
  return (
    <Notice
      bare
      level={1}
      role="alert"
      icon={<IconLinkOff size="1.25em" aria-hidden />}
      title={t('insights.linkOver')}
      text={t('insights.linkOverText')}
      action={
        <Link to="/" className={buttonClass('plain')}>
          {t('error.home')}
        </Link>
      }
    />
  );
}

function useShown(token: string, period: InsightPeriod) {
  return useQuery({
    queryKey: ['public-insight', token, period],
    queryFn: ({ signal }) => laterApi.insightLink.read({ token, period, timeZone: timeZone() }, { signal }),
    staleTime: 0,
    meta: { failure: 'getInsights', quiet: true },
  });
}
