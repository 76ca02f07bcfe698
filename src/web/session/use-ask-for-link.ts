import { useNavigate } from '@tanstack/react-router';
import { pendingEmail } from './pending-email.ts';
import { carryPageOver } from './return-to.ts';
import { identityApi } from './session.ts';

/** Sends a sign-in link and opens the page that says so. The link opens in another tab, so the return page is kept for it. */
export function useAskForLink(): (email: string) => Promise<void> {
  const navigate = useNavigate();
  return async (email) => {
    await identityApi.sendSignInLink({ email });
    pendingEmail.set(email);
    carryPageOver();
    await navigate({ to: '/auth/email-confirmation' });
  };
}
