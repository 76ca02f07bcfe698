import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PlanType } from '../../../contract/plans.ts';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';

/** The provider reports a change a moment later: how often to poll for it. */
const LOOKS = 10;
const LOOK_EVERY_MS = 1000;

/** Chooses a plan: either the person goes on to pay for it, or the page updates to the change. */
export function useChoosePlan(organizationId: string) {
  const queryClient = useQueryClient();
  const refresh = async () => {
    await queryClient.invalidateQueries({ queryKey: ['subscription', organizationId] });
    await queryClient.invalidateQueries({ queryKey: ['usage', organizationId] });
  };
  return useMutation({
    mutationFn: (planType: PlanType) => api.billing.choosePlan({ organizationId, planType }),
    onSuccess: ({ url }) => {
      if (url !== null) {
        window.location.assign(url);
        return;
      }
      toast.success({ title: t('billing.changed') });
      for (let look = 0; look < LOOKS; look += 1) setTimeout(() => void refresh(), look * LOOK_EVERY_MS);
    },
    meta: { failure: 'updateSubscription' },
  });
}
