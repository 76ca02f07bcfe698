import { Button } from '@mantine/core';
import type { Product } from '../../../contract/product.ts';
import { ApiError } from '../../../contract/client.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import { useUpdateProduct } from './use-products.ts';

interface SaleButtonsProps {
  product: Product;
  /** There are unsaved changes. */
  isUnsaved: boolean;
}

/** Puts it on sale, or takes it off. */
export function SaleButtons({ product: { id, state }, isUnsaved }: SaleButtonsProps) {
  const isForSale = state === 'active';
  const update = useUpdateProduct(id, {
    onRefused: (error) => {
      if (!(error instanceof ApiError && error.code === 'payment/account-needed')) return false;
      toast.error({ title: error.message, message: t('selling.needsAccount') });
      return true;
    },
  });
  return (
    <Button
      variant={isForSale ? 'default' : 'filled'}
      loading={update.isPending}
      disabled={isUnsaved}
      title={isUnsaved ? t('selling.saveFirst') : undefined}
      onClick={() => update.mutate({ state: isForSale ? 'draft' : 'active' })}
    >
      {isForSale ? t('selling.toDraft') : t('selling.sell')}
    </Button>
  );
}
