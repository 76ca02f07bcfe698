import { useParams } from '@tanstack/react-router';
import { viewOf } from '../../query-props.ts';
import { useAgentId } from '../../route-params.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { Estimated } from './estimated.tsx';
import style from './insights.module.css';
import { Measures } from './measures.tsx';
import { Numbers } from './numbers.tsx';
import { periodOf } from './period.ts';
import { PeriodChoice } from './period-choice.tsx';
import { useUserInsight } from './use-insights.ts';

/** The numbers of one end user, for their page. */
export function UserNumbers({ period: wanted }: { period: string | undefined }) {
  const period = periodOf(wanted, '30d');
  const { userId = '' } = useParams({ strict: false });
  const insight = useUserInsight(useAgentId(), userId, period);
  return (
    <div className={style['page']}>
      <PeriodChoice chosen={period} />
      <QueryView {...viewOf(insight)} shape="card">
        {(found) => (
          <>
            <Numbers {...found} ofOne />
            <Estimated {...found} />
            <Measures {...found} />
          </>
        )}
      </QueryView>
    </div>
  );
}
