import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { takeRememberedPage } from '../../return-to.ts';
import { sessionState } from '../../session.ts';

/** Goes on after a sign-in: to registration, or for a member to the page that asked for the sign-in. */
export function useGoOn(): () => Promise<void> {
  const navigate = useNavigate();
  return useCallback(async () => {
    if (!sessionState.get().user?.isMember) return navigate({ to: '/auth/register', replace: true });
    return navigate({ href: takeRememberedPage() ?? '/platform', replace: true });
  }, [navigate]);
}
