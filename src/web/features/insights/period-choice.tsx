import { Link } from '@tanstack/react-router';
import { insightPeriods, type InsightPeriod } from '../../../contract/insight-periods.ts';
import { t } from '../../messages/t.ts';
import style from './insights.module.css';
import './messages.ts';

/** The periods, each as a link: the selection is in the address. */
export function PeriodChoice({
  chosen,
  among = insightPeriods,
}: {
  chosen: InsightPeriod;
  among?: readonly InsightPeriod[];
}) {
  return (
    <nav className={style['periods']} aria-label={t('insights.period')}>
      {among.map((period) => (
        <Link
          key={period}
          to="."
          search={{ period }}
          replace
          resetScroll={false}
          aria-current={period === chosen ? 'page' : undefined}
        >
          {t(`insights.period.${period}`)}
        </Link>
      ))}
    </nav>
  );
}
