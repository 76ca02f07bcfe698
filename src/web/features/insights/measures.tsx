import type { Insight, InsightSums } from '../../../contract/insight.ts';
import { formatMoney } from '../../format-money.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { costOf } from './cost.ts';
import { formatDuration } from './duration.ts';
import style from './insights.module.css';
import './messages.ts';

type Sides = Pick<Insight, 'now' | 'before'> & Partial<Pick<Insight, 'revenue'>>;

interface Measure {
  name: string;
  of: (sums: InsightSums) => string;
}

const counted = (name: 'handovers' | 'inputTokens' | 'outputTokens' | 'credits'): Measure => ({
  name: t(`insights.${name}`),
  of: (sums) => formatNumber(sums[name]),
});

const latency = (name: 'firstToken' | 'total'): Measure => ({
  name: t(`insights.${name}`),
  of: ({ [name]: { p50, p95 } }) =>
    p50 === null || p95 === null ? '–' : `${formatDuration(p50)} / ${formatDuration(p95)}`,
});

/** Less important measures, compared with the previous period. */
export function Measures({ now, before, revenue = [] }: Sides) {
  const measures = [
    latency('firstToken'),
    latency('total'),
    counted('handovers'),
    {
      name: t('insights.wait'),
      of: ({ waitSeconds }: InsightSums) => (waitSeconds === null ? '–' : formatDuration(waitSeconds * 1000)),
    },
    counted('inputTokens'),
    counted('outputTokens'),
    counted('credits'),
    { name: t('insights.cost'), of: costOf },
  ].map(({ name, of }) => [name, of(now), of(before)] as const);
  const money = revenue.map(
    ({ currency, paid, paidBefore }) =>
      [
        t('insights.revenue', { currency: currency.toUpperCase() }),
        formatMoney(paid, currency),
        formatMoney(paidBefore, currency),
      ] as const,
  );
  const [measure, thisPeriod, periodBefore] = [
    t('insights.measure'),
    t('insights.now'),
    t('insights.before'),
  ];
  return (
    <section className={style['part']} aria-labelledby="measures">
      <h2 id="measures">{t('insights.more')}</h2>
      <DataTable label={t('insights.more')} columns={[measure, thisPeriod, periodBefore]}>
        {[...measures, ...money].map(([name, first, second]) => (
          <tr key={name}>
            <Cell kind="main">{name}</Cell>
            <Cell label={thisPeriod}>{first}</Cell>
            <Cell kind="faint" label={periodBefore}>
              {second}
            </Cell>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
