import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { onboardingEvents } from '../../contract/user.ts';
import { api } from '../api/api.ts';
import { onboardingQuery } from '../queries/people-queries.ts';

/** Records a first step that only the browser knows was done. */
export function useRecordStep() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (event: (typeof onboardingEvents)[number]) => api.user.recordOnboarding({ event }),
    onSuccess: ({ onboarding }) => queryClient.setQueryData(onboardingQuery().queryKey, onboarding),
    meta: { failure: 'updateOnboarding', quiet: true },
  });
}
