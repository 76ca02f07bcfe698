import type { InsightPeriod } from '../../../contract/insight-periods.ts';
import type { PublicInsight } from '../../../contract/insight.ts';
import { formatNumber } from '../../format.ts';
import { wordLocale } from '../../messages/locale.ts';
import { t } from '../../messages/t.ts';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import style from './insights.module.css';
import './messages.ts';

type InsightPoint = PublicInsight['series'][number];

const HEIGHT = 100;
const day = new Intl.DateTimeFormat(wordLocale, { dateStyle: 'medium' });
const hour = new Intl.DateTimeFormat(wordLocale, { weekday: 'short', hour: 'numeric', minute: 'numeric' });

interface TimeChartProps {
  period: InsightPeriod;
  series: readonly InsightPoint[];
}

/** Messages by hour or day, with the number of unanswered questions; the same numbers as a table. */
export function TimeChart({ period, series }: TimeChartProps) {
  const format = period === '24h' ? hour : day;
  const time = ({ at }: InsightPoint) => format.format(new Date(at));
  const most = Math.max(1, ...series.map(({ messages }) => messages));
  const [first, last] = [series.at(0), series.at(-1)];
  return (
    <section className={style['part']} aria-labelledby="over-time">
      <h2 id="over-time">{t('insights.overTime')}</h2>
      <figure className={style['chart']} aria-hidden>
        <span className={style['most']}>{formatNumber(most)}</span>
        <svg viewBox={`0 0 ${series.length} ${HEIGHT}`} preserveAspectRatio="none">
          {series.map((point, index) => (
            <Bar key={point.at} point={point} index={index} most={most} time={time(point)} />
          ))}
        </svg>
        <div className={style['ends']}>
          <span>{first && time(first)}</span>
          <span>{last && time(last)}</span>
        </div>
        <figcaption className={style['legend']}>
          <span>{t('insights.messages')}</span>
          <span className={style['lost']}>{t('insights.unanswered')}</span>
        </figcaption>
      </figure>
      <details className={style['table']}>
        <summary>{t('insights.asTable')}</summary>
        <PointsTable series={series} time={time} />
      </details>
    </section>
  );
}

function Bar(props: { point: InsightPoint; index: number; most: number; time: string }) {
  const { point, index, most, time } = props;
  const height = (count: number) => (Math.min(count, most) / most) * HEIGHT;
  const of = (count: number) => ({
    x: index + 0.1,
    width: 0.8,
    y: HEIGHT - height(count),
    height: height(count),
  });
  return (
    <g>
      <title>
        {t('insights.point', {
          time,
          messages: formatNumber(point.messages),
          unanswered: formatNumber(point.unanswered),
        })}
      </title>
      <rect {...of(point.messages)} />
      <rect className={style['lost']} {...of(point.unanswered)} />
    </g>
  );
}

const columns = ['conversations', 'messages', 'answered', 'unanswered', 'failed'] as const;

function PointsTable(props: { series: readonly InsightPoint[]; time: (point: InsightPoint) => string }) {
  return (
    <DataTable
      label={t('insights.overTime')}
      columns={[t('insights.time'), ...columns.map((column) => t(`insights.${column}`))]}
    >
      {props.series.map((point) => (
        <tr key={point.at}>
          <Cell kind="main">{props.time(point)}</Cell>
          {columns.map((column) => (
            <Cell key={column} label={t(`insights.${column}`)}>
              {formatNumber(point[column])}
            </Cell>
          ))}
        </tr>
      ))}
    </DataTable>
  );
}
