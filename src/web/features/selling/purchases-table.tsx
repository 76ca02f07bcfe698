import { Button } from '@mantine/core';
import { useState } from 'react';
import type { OutputOf } from '../../../contract/route.ts';
import type { earning, Purchase } from '../../../contract/product.ts';
import { formatMoney } from '../../chat/shop/price.ts';
import { t } from '../../messages/t.ts';
import type { More } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { toast } from '../../toast.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useMay } from '../../session/use-role.ts';
import { useStays } from '../../hooks/use-stays.ts';
import style from './selling.module.css';
import { useRefund } from './use-products.ts';

type Bought = OutputOf<typeof earning.get>['purchases'][number];

export const purchaseTones: Record<Purchase['state'], Tone> = {
  pending: 'neutral',
  paid: 'good',
  expired: 'neutral',
  refunded: 'warning',
  disputed: 'bad',
  ended: 'neutral',
};

/** The amount paid: less than the price if a promotion code was used, and more after renewals. */
export const paidOf = ({ paid, currency }: Pick<Bought, 'paid' | 'currency'>): string =>
  currency === null ? t('selling.kind.free') : formatMoney(paid, currency);

/** The amount a refund would come to. */
const leftOf = ({ paid, refunded }: Bought): number => paid - refunded;

interface PurchasesTableProps {
  agentId: string;
  /** The one being refunded. */
  refunding: string | undefined;
  onRefunded: (id: string) => void;
  search: string;
  onSearch: (search: string) => void;
  purchases: readonly Bought[];
  more: More;
}

/** The buyers; an owner can refund them. */
export function PurchasesTable(props: PurchasesTableProps) {
  const { agentId, refunding, onRefunded, search, onSearch, purchases, more } = props;
  const isOwner = useMay(useOrgId(), 'organization.own');
  const [asking, setAsking] = useState<Bought>();
  const refund = useRefund(agentId, (id) => {
    setAsking(undefined);
    onRefunded(id);
    toast.success({ title: t('selling.refunded') });
  });
  // Stays while a search is cleared: otherwise a person typing would lose the field.
  const isAny = useStays(purchases.length > 0 || search !== '');
  if (!isAny) return null;
  return (
    <>
      <h3 className={style['subheading']}>{t('selling.purchases')}</h3>
      <SearchInput label={t('selling.purchaseSearch')} value={search} onChange={onSearch} />
      {purchases.length > 0 ? (
        <Found purchases={purchases} refunding={refunding} {...(isOwner && { onRefund: setAsking })} />
      ) : (
        <Notice title={t('selling.purchaseNone')} text={t('selling.purchaseNoneText')} />
      )}
      <ShowMore {...more} />
      <ConfirmDialog
        opened={asking !== undefined}
        title={t('selling.refund')}
        text={asking ? refundText(asking) : ''}
        action={t('selling.refund')}
        typedName={asking?.name ?? ''}
        busy={refund.isPending}
        onConfirm={() => asking && refund.mutate(asking.id)}
        onClose={() => setAsking(undefined)}
      />
    </>
  );
}

interface FoundProps extends Pick<PurchasesTableProps, 'purchases' | 'refunding'> {
  onRefund?: (purchase: Bought) => void;
}

function Found({ purchases, refunding, onRefund }: FoundProps) {
  return (
    <DataTable
      label={t('selling.purchases')}
      columns={[t('selling.buyer'), t('selling.amountPaid'), t('selling.state'), t('selling.when')]}
      {...(onRefund && { actions: t('selling.actions') })}
    >
      {purchases.map((purchase) => (
        <Row
          key={purchase.id}
          purchase={purchase}
          isBusy={purchase.id === refunding}
          {...(onRefund && { onRefund: () => onRefund(purchase) })}
        />
      ))}
    </DataTable>
  );
}

function refundText(asking: Bought): string {
  const amount = formatMoney(leftOf(asking), asking.currency ?? 'usd');
  return t('selling.refundText', { buyer: asking.buyer, amount });
}

interface RowProps {
  purchase: Bought;
  isBusy: boolean;
  onRefund?: () => void;
}

function Row({ purchase, isBusy, onRefund }: RowProps) {
  const { name, buyer, state, createdAt, currency, paid, refunded } = purchase;
  return (
    <tr>
      <Cell kind="main">
        {buyer}
        <span className={style['detail']}>{name}</span>
      </Cell>
      <Cell label={t('selling.amountPaid')}>
        {paidOf(purchase)}
        {currency !== null && refunded > 0 && (
          <span className={style['detail']}>
            {t('selling.refundedSum', { amount: formatMoney(refunded, currency) })}
          </span>
        )}
      </Cell>
      <Cell>
        <Badge tone={purchaseTones[state]}>
          {t(`selling.purchase.${paid === 0 && state === 'paid' ? 'given' : state}`)}
        </Badge>
      </Cell>
      <Cell kind="faint">
        <TimeAgo at={createdAt} />
      </Cell>
      {onRefund && (
        <Cell kind="actions">
          {state === 'paid' && leftOf(purchase) > 0 && (
            <Button
              variant="default"
              size="xs"
              loading={isBusy}
              aria-label={t('selling.refundName', { name, buyer })}
              onClick={onRefund}
            >
              {t('selling.refund')}
            </Button>
          )}
        </Cell>
      )}
    </tr>
  );
}
