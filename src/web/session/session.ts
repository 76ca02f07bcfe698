import { ApiError, createClient } from '../../contract/client.ts';
import type { AuthUser, Session } from '../../contract/identity.ts';
import type { ParleyContract } from '../../contract/index.ts';
import { calls } from '../api/calls.ts';
import { countedFetch } from '../api/progress.ts';
import { draftsAreOf, forgetDrafts } from '../chat/drafts.ts';
import { inOneTab } from '../in-one-tab.ts';
import { localKeeper } from '../storage.ts';
import { createStore } from '../store.ts';

/**
 * Who is signed in. `loading` until the server has answered; `unreachable` if it couldn't be asked, so that a person is
 * never treated as signed out because of a lost connection.
 */
type SessionState =
  | { status: 'loading' | 'signed-out' | 'unreachable'; user: null }
  | { status: 'signed-in'; user: AuthUser };

export const sessionState = createStore<SessionState>({ status: 'loading', user: null });

/** Counts how often a person who was signed in here has left, or was replaced by another. */
export const peopleGone = createStore(0);

/** Counts how often a session has ended without anybody signing out in this tab. */
export const sessionsLost = createStore(0);

/** The identity calls, which work without a token: everything else goes through `api`. */
export const identityApi = createClient<Pick<ParleyContract, 'identity'>>(
  { identity: calls.identity },
  { baseUrl: '', fetch: countedFetch },
).identity;

/** A token this close to its expiry is renewed before use. */
const RENEW_BEFORE_MS = 60_000;

/** Written on every change of the session, so that the other tabs reload it. */
const CHANGED_KEY = 'parley.session-changed';

let current: Session | null = null;
/** What `CHANGED_KEY` said when the current session was asked for. */
let lastChange: string | null = null;
let refreshing: Promise<Session | null> | null = null;

addEventListener('storage', ({ key }) => {
  if (key === CHANGED_KEY) refreshSession().catch(() => undefined);
});

/** Makes a session the current one, in this tab and the others. Null: signs out. */
export function adoptSession(session: Session | null): void {
  if (session === null) forgetDrafts();
  keep(session);
  lastChange = String(Date.now());
  localKeeper.set(CHANGED_KEY, lastChange);
}

/** Renews the session with its cookie. Concurrent callers share one request. */
export function refreshSession(): Promise<Session | null> {
  refreshing ??= askForSession().finally(() => {
    refreshing = null;
  });
  return refreshing;
}

function askForSession(): Promise<Session | null> {
  lastChange = localKeeper.get(CHANGED_KEY);
  return identityApi
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
    });
}

/** A real response, not a lost connection: to the server nobody is signed in here. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** The sign-in state once it is known; throws while the server is unreachable. */
export async function knownSession(): Promise<SessionState> {
  const { status } = sessionState.get();
  if (status === 'loading' || status === 'unreachable') await refreshSession();
  return sessionState.get();
}

/** The ID token for the next call, renewed when it is about to expire; undefined if nobody is signed in. */
export async function freshToken(): Promise<string | undefined> {
  if (sessionState.get().status === 'loading') await knownSession();
  if (current === null) return undefined;
  if (Date.parse(current.expiresAt) - Date.now() > RENEW_BEFORE_MS) return current.idToken;
  const renewed = await refreshSession();
  return renewed?.idToken;
}

/**
 * Resolves once no renewal is in progress. Signing in or out waits for this: a renewal's response about the previous
 * session would replace or end the next one.
 */
export async function renewed(): Promise<void> {
  await refreshing?.catch(() => undefined);
}

/** Signs in with an emailed link. Errors: those of the call. */
export async function signInByLink(link: { email: string; token: string }): Promise<void> {
  await renewed();
  adoptSession(await identityApi.confirmSignInLink(link));
}

/** Signs in as a guest unless somebody is signed in already, in whichever tab: tabs that open at once share a guest. */
export async function ensureSignedIn(): Promise<void> {
  const { status } = await knownSession();
  if (status === 'signed-in') return;
  await inOneTab('parley.guest', async () => {
    await renewed();
    if (localKeeper.get(CHANGED_KEY) !== lastChange) await refreshSession();
    if (sessionState.get().status !== 'signed-in') adoptSession(await identityApi.signInAsGuest());
  });
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
