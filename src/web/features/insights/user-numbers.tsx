import { useParams } from '@tanstack/react-router';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { Estimated } from './estimated.tsx';
import { InsightView } from './insight-view.tsx';
import style from './insights.module.css';
import { Measures } from './measures.tsx';
import { Numbers } from './numbers.tsx';
import { periodOf } from './period.ts';
import { PeriodChoice } from './period-choice.tsx';
import { Channels, Countries, Languages, Sources } from './shares.tsx';
import { useUserInsight } from './use-insights.ts';
import { WeekMap } from './week-map.tsx';

/** An end user's numbers, for their page. */
export function UserNumbers({ period: wanted }: { period: string | undefined }) {
  const period = periodOf(wanted, '30d');
  const { userId = '' } = useParams({ strict: false });
  const agentId = useAgentId();
  const orgId = useOrgId();
  const insight = useUserInsight(agentId, userId, period);
  return (
    <div className={style['page']}>
      <PeriodChoice chosen={period} />
      <InsightView orgId={orgId} insight={insight}>
        {(found) => (
          <>
            <Numbers {...found} ofOne />
            <Estimated {...found} />
            {found.now.messages > 0 && <WeekMap found={found.hours} timeZone={found.timeZone} />}
            {found.now.messages > 0 && (
              <div className={style['pair']}>
                <Sources orgId={orgId} agentId={agentId} sources={found.sources} />
                <Channels insight={found} />
                <Countries insight={found} />
                <Languages insight={found} />
              </div>
            )}
            <Measures {...found} />
          </>
        )}
      </InsightView>
    </div>
  );
}
