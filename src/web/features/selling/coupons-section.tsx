import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Coupon } from '../../../contract/coupon.ts';
import { formatMoney } from '../../chat/shop/price.ts';
import { focusFirst } from '../../forms/focus-first.ts';
import { formatShare } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { listOf, moreOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { SEEN_AT_ONCE } from '../../parts/searched.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Section } from '../../ui/section.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useServerSearch } from '../../hooks/use-kept-search.ts';
import { useKnownMay } from '../../session/use-role.ts';
import { useStays } from '../../hooks/use-stays.ts';
import { NewCouponForm } from './new-coupon-form.tsx';
import style from './selling.module.css';
import { useCoupons, useEndCoupon } from './use-coupons.ts';
import { accountQuery } from './use-products.ts';

/** The organization's promotion codes; an owner creates and ends them once people can pay. */
export function CouponsSection() {
  const orgId = useOrgId();
  const isOwner = useKnownMay(orgId, 'organization.own') === true;
  const account = useQuery({ ...accountQuery(orgId), enabled: isOwner });
  if (!isOwner || account.data?.state !== 'ready') return null;
  return <Coupons orgId={orgId} />;
}

function Coupons({ orgId }: { orgId: string }) {
  const { search, setSearch, wanted } = useServerSearch('coupons');
  const coupons = useCoupons(orgId, wanted);
  const shown = listOf(coupons, (page) => page.coupons);
  const isSearched = useStays(search !== '' || (shown.data?.length ?? 0) > SEEN_AT_ONCE);
  const [adding, setAdding] = useState<boolean>();
  return (
    <Section title={t('selling.coupons')} lead={t('selling.couponsLead')}>
      {isSearched && <SearchInput label={t('selling.couponSearch')} value={search} onChange={setSearch} />}
      <QueryView {...shown} shape="line">
        {(found) => {
          if (found.length > 0) return <CouponsTable orgId={orgId} coupons={found} />;
          return wanted !== '' && !coupons.hasNextPage && <p>{t('selling.couponNone')}</p>;
        }}
      </QueryView>
      <ShowMore {...moreOf(coupons)} />
      {adding ? (
        <NewCouponForm orgId={orgId} onClose={() => setAdding(false)} />
      ) : (
        <div className={style['addCoupon']}>
          <Button
            ref={adding === false ? focusFirst : undefined}
            variant="default"
            onClick={() => setAdding(true)}
          >
            {t('selling.couponAdd')}
          </Button>
        </div>
      )}
    </Section>
  );
}

function CouponsTable({ orgId, coupons }: { orgId: string; coupons: readonly Coupon[] }) {
  const [asking, setAsking] = useState<Coupon>();
  const end = useEndCoupon(orgId, () => setAsking(undefined));
  return (
    <>
      <DataTable
        label={t('selling.coupons')}
        columns={[
          t('selling.couponCode'),
          t('selling.couponOff'),
          t('selling.couponUses'),
          t('selling.state'),
        ]}
        actions={t('selling.actions')}
      >
        {coupons.map((coupon) => (
          <Row key={coupon.id} coupon={coupon} onEnd={() => setAsking(coupon)} />
        ))}
      </DataTable>
      <ConfirmDialog
        opened={asking !== undefined}
        title={t('selling.couponEnd')}
        text={t('selling.couponEndText', { code: asking?.code ?? '' })}
        action={t('selling.couponEnd')}
        busy={end.isPending}
        onConfirm={() => asking && end.mutate(asking.id)}
        onClose={() => setAsking(undefined)}
      />
    </>
  );
}

function Row({ coupon, onEnd }: { coupon: Coupon; onEnd: () => void }) {
  const { code, uses, usesMax, isActive, expiresAt } = coupon;
  return (
    <tr>
      <Cell kind="main">
        {code}
        {expiresAt && (
          <span className={style['detail']}>
            {t('selling.couponUntil')} <TimeAgo at={expiresAt} />
          </span>
        )}
      </Cell>
      <Cell label={t('selling.couponOff')}>
        {offOf(coupon)}
        <span className={`${style['detail']} ${style['lasts']}`}>{lastsOf(coupon)}</span>
      </Cell>
      <Cell label={t('selling.couponUses')}>
        {usesMax === null ? uses : t('selling.couponUsesOf', { uses, most: usesMax })}
      </Cell>
      <Cell>
        <Badge tone={isActive ? 'good' : 'neutral'}>
          {t(isActive ? 'selling.couponActive' : 'selling.couponOver')}
        </Badge>
      </Cell>
      <Cell kind="actions">
        {isActive && (
          <Button
            variant="default"
            size="xs"
            aria-label={t('selling.couponEndName', { code })}
            onClick={onEnd}
          >
            {t('selling.couponEnd')}
          </Button>
        )}
      </Cell>
    </tr>
  );
}

function offOf({ percentOff, amountOff, currency }: Coupon): string {
  return percentOff === null ? formatMoney(amountOff ?? 0, currency ?? 'usd') : formatShare(percentOff / 100);
}

/** Which payments it applies to. */
function lastsOf({ duration, months }: Coupon): string {
  return duration === 'months'
    ? t('selling.couponDuration.months#', { count: months ?? 0 })
    : t(`selling.couponDuration.${duration}`);
}
