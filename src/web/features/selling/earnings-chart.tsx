import { useState } from 'react';
import type { OutputOf } from '../../../contract/route.ts';
import type { earning } from '../../../contract/product.ts';
import { formatMoney } from '../../chat/shop/price.ts';
import { wordLocale } from '../../messages/locale.ts';
import { t } from '../../messages/t.ts';
import { Hidden } from '../../ui/hidden.tsx';
import { daysOf } from './days.ts';
import style from './selling.module.css';
import type { Period } from './use-products.ts';

interface EarningsChartProps {
  label: string;
  period: Period;
  days: OutputOf<typeof earning.get>['days'];
}

const HEIGHT = 100;

/** A bar per day; screen readers get the days with payments. */
export function EarningsChart({ label, period, days }: EarningsChartProps) {
  const paidOn = new Map(days.map(({ day, paid }) => [day, paid]));
  const [today] = useState(() => new Date());
  const all = daysOf(period, today);
  const most = Math.max(1, ...paidOn.values());
  const tell = (day: string, paid: number) =>
    t('selling.chartDay', {
      day: dayFormat.format(new Date(day)),
      amount: formatMoney(paid, currencyOf(days)),
    });
  return (
    <figure className={style['chart']}>
      <figcaption>{label}</figcaption>
      <svg viewBox={`0 0 ${all.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
        {all.map((day, index) => {
          const height = ((paidOn.get(day) ?? 0) / most) * HEIGHT;
          return (
            <rect key={day} x={index + 0.1} y={HEIGHT - height} width={0.8} height={height}>
              <title>{tell(day, paidOn.get(day) ?? 0)}</title>
            </rect>
          );
        })}
      </svg>
      <Hidden>{days.map(({ day, paid }) => tell(day, paid)).join('. ')}</Hidden>
    </figure>
  );
}

const dayFormat = new Intl.DateTimeFormat(wordLocale, { dateStyle: 'medium', timeZone: 'UTC' });

function currencyOf(days: EarningsChartProps['days']): string {
  return days[0]?.currency ?? 'usd';
}
