import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { earningPeriods } from '../../../contract/product.ts';
import { formatMoney } from '../../chat/shop/price.ts';
import { t } from '../../messages/t.ts';
import { moreOf, viewOf } from '../../queries/query-props.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { useServerSearch } from '../../hooks/use-kept-search.ts';
import { EarningsChart } from './earnings-chart.tsx';
import { PurchasesTable } from './purchases-table.tsx';
import style from './selling.module.css';
import { useEarnings, type Period } from './use-products.ts';

type Earned = NonNullable<ReturnType<typeof useEarnings>['data']>['pages'][number];

/** Revenue by currency: amounts in different currencies are never added. */
export function Earnings({ agentId }: { agentId: string }) {
  const [period, setPeriod] = useState<Period>('30d');
  const [refunding, setRefunding] = useState<string>();
  const { search, setSearch, wanted } = useServerSearch('earnings');
  const earnings = useEarnings(agentId, period, wanted, refunding);
  return (
    <section aria-labelledby="earnings" className={style['earnings']}>
      <div className={style['head']}>
        <h2 id="earnings">{t('selling.earnings')}</h2>
        <NativeSelect
          aria-label={t('selling.period')}
          value={period}
          onChange={({ currentTarget }) => setPeriod(currentTarget.value as Period)}
          data={earningPeriods.map((value) => ({ value, label: t(`selling.period.${value}`) }))}
        />
      </div>
      <QueryView {...viewOf(earnings)} shape="card">
        {({ pages }) => (
          <>
            {pages[0] && <Totals earned={pages[0]} period={period} />}
            <PurchasesTable
              agentId={agentId}
              refunding={refunding}
              search={search}
              onSearch={setSearch}
              onRefunded={setRefunding}
              purchases={pages.flatMap((page) => page.purchases)}
              more={moreOf(earnings)}
            />
          </>
        )}
      </QueryView>
    </section>
  );
}

function Totals({ earned: { totals, days }, period }: { earned: Earned; period: Period }) {
  if (totals.length === 0) return <p className={style['soft']}>{t('selling.earnedNone')}</p>;
  return totals.map(({ currency, paid, refunded, fee, paidBefore }) => {
    const amount = (value: number) => ({ amount: formatMoney(value, currency) });
    const name = currency.toUpperCase();
    return (
      <div key={currency} className={style['total']}>
        <dl className={style['figure']}>
          <dt>{t('selling.paid', { currency: name })}</dt>
          <dd>
            <strong>{formatMoney(paid, currency)}</strong>
            <span>{t('selling.before', amount(paidBefore))}</span>
            {refunded > 0 && <span>{t('selling.refundedSum', amount(refunded))}</span>}
            {fee > 0 && <span>{t('selling.fee', amount(fee))}</span>}
          </dd>
        </dl>
        <EarningsChart
          label={t('selling.chart', { currency: name })}
          period={period}
          days={days.filter((day) => day.currency === currency)}
        />
      </div>
    );
  });
}
