import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { coupon as contract } from '../../../contract/coupon.ts';
import type { InputOf } from '../../../contract/route.ts';
import { laterApi } from '../../api/later-api.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { toast } from '../../toast.ts';
import { t } from '../../messages/t.ts';

const keyOf = (organizationId: string) => ['coupons', organizationId];

/** Newest first; for owners. */
export function useCoupons(organizationId: string, search: string) {
  return useInfiniteQuery({
    queryKey: [...keyOf(organizationId), search],
    queryFn: ({ pageParam, signal }) =>
      laterApi.coupon.list(
        { organizationId, ...(search && { search }), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    meta: { failure: 'getCoupons', quiet: true },
  });
}

export type NewCoupon = Omit<InputOf<typeof contract.create>, 'organizationId'>;

interface Making {
  onDone: () => void;
  /** Handles a failure that a field can show. */
  onRefused: (error: unknown) => boolean;
}

export function useCreateCoupon(organizationId: string, { onDone, onRefused }: Making) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (coupon: NewCoupon) => laterApi.coupon.create({ organizationId, ...coupon }),
    onSuccess: async () => {
      onDone();
      await queries.invalidateQueries({ queryKey: keyOf(organizationId) });
    },
    onError: (error) => onRefused(error) || announceFailure(error),
    meta: { failure: 'createCoupon', quiet: true },
  });
}

export function useEndCoupon(organizationId: string, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => laterApi.coupon.remove({ organizationId, id }),
    onSuccess: async () => {
      onDone();
      await queries.invalidateQueries({ queryKey: keyOf(organizationId) });
      toast.success({ title: t('selling.couponEnded') });
    },
    meta: { failure: 'deleteCoupon' },
  });
}
