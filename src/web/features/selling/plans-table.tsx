import { Link } from '@tanstack/react-router';
import type { Product } from '../../../contract/product.ts';
import { priceOf, termsOf } from '../../chat/shop/price.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import style from './selling.module.css';

const tones: Record<Product['state'], Tone> = { draft: 'neutral', active: 'good', archived: 'warning' };

export function StateBadge({ state }: Pick<Product, 'state'>) {
  return <Badge tone={tones[state]}>{t(`selling.state.${state}`)}</Badge>;
}

export function PlansTable({ products }: { products: readonly Product[] }) {
  const params = { orgId: useOrgId(), agentId: useAgentId() };
  return (
    <DataTable
      label={t('selling.title')}
      columns={[t('selling.name'), t('selling.price'), t('selling.people'), t('selling.state')]}
    >
      {products.map(({ id, state, paymentConfig, detailsConfig, entitled }) => (
        <tr key={id}>
          <Cell kind="main">
            <Link
              className={style['name']}
              to="/platform/{-$orgId}/agent/$agentId/pricing-plans/$pricingPlanId"
              params={{ ...params, pricingPlanId: id }}
            >
              {detailsConfig.name}
            </Link>
            <span className={style['detail']}>{t(`selling.kind.${paymentConfig.kind}`)}</span>
          </Cell>
          <Cell label={t('selling.price')}>
            {priceOf(paymentConfig)}
            <span className={style['detail']}>{termsOf(paymentConfig)[0]}</span>
          </Cell>
          <Cell kind="faint" label={t('selling.people')}>
            {formatNumber(entitled)}
          </Cell>
          <Cell>
            <StateBadge state={state} />
          </Cell>
        </tr>
      ))}
    </DataTable>
  );
}
