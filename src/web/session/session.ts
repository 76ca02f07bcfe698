import { ApiError, createClient } from '../../contract/client.ts';
import type { AuthUser, Session } from '../../contract/identity.ts';
import type { ParleyContract } from '../../contract/index.ts';
import { calls } from '../api/calls.ts';
import { countedFetch } from '../api/progress.ts';
import { draftsAreOf, forgetDrafts } from '../chat/drafts.ts';
import { localKeeper } from '../storage.ts';
import { createStore } from '../store.ts';

/**
 * Who is signed in. `loading` until the server has been asked; `unreachable` when it could not be asked, so that a person
 * is never treated as signed out because of a broken line.
 */
type SessionState =
  | { status: 'loading' | 'signed-out' | 'unreachable'; user: null }
  | { status: 'signed-in'; user: AuthUser };

export const sessionState = createStore<SessionState>({ status: 'loading', user: null });

/** How often somebody who was signed in here has gone, or made room for another. */
export const peopleGone = createStore(0);

/** How often a session has ended without anybody having signed out in this tab. */
export const sessionsLost = createStore(0);

/** The identity calls, which work without a token: everything else goes through `api`. */
export const identityApi = createClient<Pick<ParleyContract, 'identity'>>(
  { identity: calls.identity },
  { baseUrl: '', fetch: countedFetch },
).identity;

/** A token this close to its end is renewed before it is used. */
const RENEW_BEFORE_MS = 60_000;

/** Written at each change of the session, so that the other tabs read it again. */
const CHANGED_KEY = 'parley.session-changed';

let current: Session | null = null;
let refreshing: Promise<Session | null> | null = null;

addEventListener('storage', ({ key }) => {
  if (key === CHANGED_KEY) refreshSession().catch(() => undefined);
});

/** Makes a session the current one, in this tab and in the others. Null: somebody signs out. */
export function adoptSession(session: Session | null): void {
  if (session === null) forgetDrafts();
  keep(session);
  localKeeper.set(CHANGED_KEY, String(Date.now()));
}

/** Renews the session by its cookie. However many ask at the same time, one request is made. */
export function refreshSession(): Promise<Session | null> {
  refreshing ??= identityApi
    .refresh()
    .then(
      ({ session }) => session,
      (error: unknown) => {
        if (isRefused(error)) return null;
        if (current === null) sessionState.set({ status: 'unreachable', user: null });
        throw error;
      },
    )
    .then((session) => {
      const isLost = current !== null && session === null;
      keep(session);
      if (isLost) sessionsLost.set(sessionsLost.get() + 1);
      return session;
    })
    .finally(() => {
      refreshing = null;
    });
  return refreshing;
}

/** An answer, and no broken line: to the server nobody is signed in here. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** The sign-in state once it is known; throws while the server cannot be reached. */
export async function knownSession(): Promise<SessionState> {
  const { status } = sessionState.get();
  if (status === 'loading' || status === 'unreachable') await refreshSession();
  return sessionState.get();
}

/** The id token for the next call, renewed when it is about to end; undefined when nobody is signed in. */
export async function freshToken(): Promise<string | undefined> {
  if (sessionState.get().status === 'loading') await knownSession();
  if (current === null) return undefined;
  if (Date.parse(current.expiresAt) - Date.now() > RENEW_BEFORE_MS) return current.idToken;
  const renewed = await refreshSession();
  return renewed?.idToken;
}

/**
 * Once no renewal is under way. Who signs in or out waits for that: what it says of the session before would take the place of what comes
 * next, or end it.
 */
export async function renewed(): Promise<void> {
  await refreshing?.catch(() => undefined);
}

/** Signs in by the link of a mail. Errors: those of the call. */
export async function signInByLink(link: { email: string; token: string }): Promise<void> {
  await renewed();
  adoptSession(await identityApi.confirmSignInLink(link));
}

/** Signs in as a guest unless somebody is signed in already. */
export async function ensureSignedIn(): Promise<void> {
  const { status } = await knownSession();
  if (status !== 'signed-in') adoptSession(await identityApi.signInAsGuest());
}

/** Clears user, token and cookies; the socket closes because the state changes. */
export async function signOut(): Promise<void> {
  await renewed();
  await identityApi.signOut();
  adoptSession(null);
}

function keep(session: Session | null): void {
  const before = sessionState.get().user;
  if (before !== null && before.uid !== session?.user.uid) peopleGone.set(peopleGone.get() + 1);
  if (session) draftsAreOf(session.user);
  current = session;
  sessionState.set(
    session ? { status: 'signed-in', user: session.user } : { status: 'signed-out', user: null },
  );
}
