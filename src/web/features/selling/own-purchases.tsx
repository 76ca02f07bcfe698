import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { OutputOf } from '../../../contract/route.ts';
import type { Entitlement, purchase } from '../../../contract/product.ts';
import { api } from '../../api/api.ts';
import { formatMoney } from '../../chat/shop/price.ts';
import { formatExactTime, formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { moreOf } from '../../queries/query-props.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Section } from '../../ui/section.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { paidOf, purchaseTones } from './purchases-table.tsx';
import style from './selling.module.css';
import './messages.ts';

type Bought = OutputOf<typeof purchase.list>['purchases'][number];

/** The person's purchases of agents; renders nothing if there are none. */
export function OwnPurchases() {
  const bought = useInfiniteQuery({
    queryKey: ['own-purchases'],
    queryFn: ({ pageParam, signal }) =>
      api.purchase.list({ ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    meta: { failure: 'getPurchases', quiet: true },
  });
  const purchases = bought.data?.pages.flatMap((page) => page.purchases) ?? [];
  if (purchases.length === 0) return null;
  return (
    <Section title={t('selling.bought')} lead={t('selling.boughtLead')}>
      <ul className={style['bought']}>
        {purchases.map((each) => (
          <li key={each.id}>
            <Row bought={each} />
          </li>
        ))}
      </ul>
      <ShowMore {...moreOf(bought)} />
    </Section>
  );
}

const tones: Record<Entitlement['state'], Tone> = {
  active: 'good',
  trialing: 'good',
  'past-due': 'bad',
  ended: 'neutral',
  refunded: 'warning',
  disputed: 'bad',
};

function Row({ bought }: { bought: Bought }) {
  const { id, agentId, name, agentName, state, entitlement } = bought;
  const manage = useMutation({
    mutationFn: () => api.purchase.portal({ id }),
    onSuccess: ({ url }) => location.assign(url),
    meta: { failure: 'getPurchases' },
  });
  const title = t('selling.of', { name, agent: agentName });
  return (
    <>
      <span>
        <Link className={style['name']} to="/chat/{-$id}" params={{ id: agentId }}>
          {title}
        </Link>
        <span className={style['detail']}>
          {[paidOf(bought), ...paidBackOf(bought), ...(entitlement ? leftOf(entitlement) : [])].join(' · ')}
        </span>
      </span>
      <span>
        {entitlement ? (
          <Access {...entitlement} />
        ) : (
          <Badge tone={purchaseTones[state]}>{t(`selling.purchase.${state}`)}</Badge>
        )}{' '}
        {entitlement?.kind === 'recurring' && (
          <Button
            variant="default"
            size="xs"
            aria-label={t('selling.manageName', { name: title })}
            loading={manage.isPending}
            onClick={() => manage.mutate()}
          >
            {t('selling.manage')}
          </Button>
        )}
      </span>
    </>
  );
}

/** A one-time purchase gets no new credits: once they are used, it opens nothing any more. */
function Access({ kind, state, creditsLeft }: Entitlement) {
  const isUsedUp = (kind === 'pack' || kind === 'once') && state === 'active' && creditsLeft === 0;
  return isUsedUp ? (
    <Badge>{t('selling.usedUp')}</Badge>
  ) : (
    <Badge tone={tones[state]}>{t(`selling.access.${state}`)}</Badge>
  );
}

function paidBackOf({ currency, refunded }: Bought): string[] {
  if (currency === null || refunded === 0) return [];
  return [t('selling.refundedSum', { amount: formatMoney(refunded, currency) })];
}

/** What is left of it, and until when; what renews each month has no end to report. */
function leftOf({ kind, creditsLeft, endsAt, renews, state }: Entitlement): string[] {
  if (state === 'ended' || state === 'refunded' || state === 'disputed') return [];
  const credits =
    creditsLeft === null
      ? []
      : [t('selling.left#', { count: creditsLeft, number: formatNumber(creditsLeft) })];
  if (endsAt === null) return kind === 'free' ? credits : [...credits, t('selling.forGood')];
  // Whether it renews depends on the payment.
  if (state === 'past-due' && renews) return credits;
  const when = formatExactTime(endsAt);
  return [...credits, renews ? t('selling.renews', { when }) : t('selling.ends', { when })];
}
