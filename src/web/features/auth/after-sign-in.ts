import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { rememberPage, takeRememberedPage } from '../../session/return-to.ts';
import { sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';

/** Pages open to people who are not members. */
const NEEDS_NO_MEMBER = /^\/(auth\/(invite|google)|chat|app\/account)\b/;

type Navigate = ReturnType<typeof useNavigate>;

let going: Promise<void> | null = null;

/**
 * Continues after a sign-in, to the page that requested it. A concurrent call joins the one in progress, because the
 * remembered page can be taken only once. A person who isn't a member yet registers first, except for an invitation,
 * which makes them one on acceptance, and for a conversation or their own profile, which need no membership.
 */
export function useGoOn(): (returnTo?: string) => Promise<void> {
  const navigate = useNavigate();
  return useCallback((returnTo) => goOnce(navigate, returnTo), [navigate]);
}

function goOnce(navigate: Navigate, returnTo?: string): Promise<void> {
  going ??= go(navigate, returnTo).finally(() => {
    going = null;
  });
  return going;
}

function go(navigate: Navigate, returnTo?: string): Promise<void> {
  const remembered = takeRememberedPage();
  const page = returnTo && returnTo !== '/' ? returnTo : remembered;
  const isMember = sessionState.get().user?.isMember === true;
  if (isMember || (page !== null && NEEDS_NO_MEMBER.test(page)))
    return navigate({ href: page ?? '/platform', replace: true });
  if (page) rememberPage(page);
  return navigate({ to: '/auth/register', replace: true });
}

/** Continues as soon as somebody other than a guest is signed in, here or in another tab. Returns true if one is. */
export function useGoOnOnceSignedIn(): boolean {
  const { user } = useStore(sessionState);
  const goOn = useGoOn();
  const isSignedIn = user !== null && !user.isAnonymous;
  useEffect(() => {
    if (isSignedIn) void goOn();
  }, [isSignedIn, goOn]);
  return isSignedIn;
}
