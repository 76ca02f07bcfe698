import type { identity as contract, Session } from '../../../contract/identity.ts';
import {
  ID_TOKEN_LIFETIME_SECONDS,
  SESSION_LIFETIME_DAYS,
  SIGN_IN_LINK_LIFETIME_MINUTES,
  SIGN_IN_LINKS_PER_HOUR,
} from '../../../contract/limits.ts';
import { AppError } from '../../app-error.ts';
import type { Caller, Handlers, RequestContext } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { isLoopback } from '../../egress/operator-fetch.ts';
import { AUTH_COOKIE } from '../../identity/cookies.ts';
import type { IssuedSession } from '../../identity/identity.ts';
import { hashSecret, newSecret } from '../../identity/secrets.ts';
import { removePhoto } from '../../images/photos.ts';
import { enqueueMail } from '../mail/store.ts';
import { endSessions, forgetSessions } from './end-sessions.ts';
import { changeEmailMail, formerAddressMail, signInMail } from './sign-in-mail.ts';
import { changeEmail, signInByEmail, signInByGoogle, unlink, type SignedIn } from './sign-in.ts';
import * as store from './store.ts';

const REFRESH_COOKIE = 'refresh-token';
/** Binds a sign-in link, or a sign-in at a provider, to the browser that requested it. */
const BROWSER_COOKIE = 'sign-in-browser';

type Cookies = RequestContext['cookies'];

export function identityHandlers(deps: Deps): Handlers<typeof contract> {
  const { config, db, identity, google, jobs } = deps;
  const forget = (sessionIds: string[]): void => forgetSessions(deps, sessionIds);

  /** Ends the cookie's session and the token's, which may differ. */
  const endCurrent = async (caller: Caller, cookies: Cookies): Promise<void> => {
    const secret = cookies.read(REFRESH_COOKIE);
    const ended = [
      secret === undefined ? undefined : await identity.end(secret),
      caller.kind === 'user' ? await identity.endById(caller.sessionId) : undefined,
    ];
    forget(ended.filter((id) => id !== undefined));
  };

  const signIn = async (
    caller: Caller,
    { cookies, origin }: RequestContext,
    work: (tx: Tx, currentId: string | undefined) => Promise<SignedIn>,
  ): Promise<{ session: Session; outcome: SignedIn['outcome'] }> => {
    const { user, outcome, merged, former } = await db.in({}, async (tx) => {
      const done = await work(tx, userIdOf(caller));
      if (done.merged) await removePhoto(tx, jobs, done.merged.guest.profilePhoto);
      if (done.former)
        await enqueueMail(tx, jobs, done.former, formerAddressMail(done.user.email ?? '', origin));
      return done;
    });
    // Nothing from before stays valid, so that a session planted in the browser is worthless.
    await endCurrent(caller, cookies);
    if (merged) forget(merged.sessionIds);
    if (former) await endSessions(deps, user.id);
    return { session: handOver(await identity.startSession(user), cookies), outcome };
  };

  return {
    signInAsGuest: async (_input, _caller, { cookies }) => {
      const guest = await db.in({}, store.insertGuest);
      return handOver(await identity.startSession(guest), cookies);
    },

    sendSignInLink: async ({ email }, _caller, context) => {
      await sendLink(deps, context, { email, userId: null });
      return { sent: true };
    },

    changeEmail: async ({ email }, { userId }, context) => {
      await sendLink(deps, context, { email, userId });
      return { sent: true };
    },

    confirmSignInLink: async ({ email, token }, caller, context) => {
      if (!email) throw new AppError('auth/missing-email');
      const link = {
        email,
        tokenHash: hashSecret(token),
        browserHash: hashSecret(context.cookies.read(BROWSER_COOKIE) ?? ''),
      };
      // Not in one transaction with what follows: a wrong attempt must stay counted.
      const used = await db.in({}, (tx) => store.consumeLink(tx, link));
      if (!used) throw new AppError('auth/invalid-action-code');
      const { userId } = used;
      const { session } = await signIn(caller, context, (tx, currentId) =>
        userId === null ? signInByEmail(tx, email, currentId) : changeEmail(tx, email, { userId, currentId }),
      );
      return session;
    },

    providers: async (_input, _caller, { origin }) => ({
      providers: google.isConfigured ? ['google', 'email'] : ['email'],
      mail: config.smtpUrl !== undefined ? 'sent' : isLoopback(origin) ? 'inbox' : 'none',
    }),

    startGoogle: async ({ returnTo }, caller, { cookies, origin }) => {
      const { url, pending } = await google.begin(callbackOf(origin));
      const browserHash = rememberBrowser(cookies);
      const { state, nonce, codeVerifier } = pending;
      const userId = userIdOf(caller) ?? null;
      await db.in({}, (tx) =>
        store.insertState(tx, {
          stateHash: hashSecret(state),
          browserHash,
          codeVerifier,
          nonce,
          userId,
          returnTo,
        }),
      );
      return { url };
    },

    finishGoogle: async ({ code, state, iss }, caller, context) => {
      const { cookies, origin } = context;
      if (!google.isConfigured) throw new AppError('auth/provider-unavailable');
      const browserHash = hashSecret(cookies.read(BROWSER_COOKIE) ?? '');
      const begun = await db.in({}, (tx) =>
        store.consumeState(tx, { stateHash: hashSecret(state), browserHash }),
      );
      if (!begun)
        throw new AppError('auth/provider-refused', 'This sign-in is no longer valid. Start again.');
      // The person who started it must complete it: an account is never linked to someone who didn't ask for it.
      if (begun.userId !== (userIdOf(caller) ?? null)) {
        throw new AppError('auth/provider-refused', 'You are now signed in as someone else. Start again.');
      }
      const { codeVerifier, nonce, returnTo } = begun;
      const account = await google.finish(
        callbackOf(origin),
        { code, state, iss },
        { state, nonce, codeVerifier },
      );
      const { session, outcome } = await signIn(caller, context, (tx, currentId) =>
        signInByGoogle(tx, account, currentId),
      );
      return { session, outcome, returnTo };
    },

    unlink: async ({ providerId }, caller) => {
      const user = await db.in({}, (tx) => unlink(tx, caller.userId, providerId));
      // Anyone who signed in that way is signed out.
      forget(await identity.endAll(caller.userId, caller.sessionId));
      return { user: await identity.describe(user) };
    },

    signOutEverywhere: async (_input, caller, { cookies }) => {
      const ended = await endSessions(deps, caller.userId);
      clearCookies(cookies);
      return { ended };
    },

    refresh: async (_input, _caller, { cookies }) => {
      const secret = cookies.read(REFRESH_COOKIE);
      const renewed = secret === undefined ? undefined : await identity.renew(secret);
      if (renewed) return { session: handOver(renewed, cookies) };
      clearCookies(cookies);
      return { session: null };
    },

    signOut: async (_input, caller, { cookies }) => {
      await endCurrent(caller, cookies);
      clearCookies(cookies);
      return { signedOut: true };
    },
  };
}

/** `userId`: whose address the link changes; null: it signs in. */
async function sendLink(
  { db, jobs }: Deps,
  { cookies, origin }: RequestContext,
  { email, userId }: { email: string; userId: string | null },
): Promise<void> {
  const token = newSecret();
  const browserHash = rememberBrowser(cookies);
  await db.in({}, async (tx) => {
    await store.lockWaysIn(tx, [`email ${email}`]);
    if ((await store.countRecentLinks(tx, email)) >= SIGN_IN_LINKS_PER_HOUR) {
      throw new AppError('request/rate-limited', 'Too many links were requested for this address.', {
        retryAfterSeconds: 3600,
      });
    }
    await store.insertLink(tx, { email, tokenHash: hashSecret(token), browserHash, userId });
    const link = `${origin}/auth/email-verification?token=${token}`;
    const letter = userId === null ? signInMail(link) : changeEmailMail(link);
    await enqueueMail(tx, jobs, email, letter, { neededMinutes: SIGN_IN_LINK_LIFETIME_MINUTES });
  });
}

function userIdOf(caller: Caller): string | undefined {
  return caller.kind === 'user' ? caller.userId : undefined;
}

/** Where Google sends people back; the operator registers exactly this address there. */
function callbackOf(origin: string): string {
  return `${origin}/auth/google`;
}

/** The hash of this browser's secret, which is created if missing and kept for as long as the longest sign-in takes. */
function rememberBrowser(cookies: Cookies): string {
  const browser = cookies.read(BROWSER_COOKIE) ?? newSecret();
  cookies.write(BROWSER_COOKIE, browser, { maxAgeSeconds: SIGN_IN_LINK_LIFETIME_MINUTES * 60 });
  return hashSecret(browser);
}

function handOver(issued: IssuedSession, cookies: Cookies): Session {
  cookies.write(AUTH_COOKIE, issued.idToken, { maxAgeSeconds: ID_TOKEN_LIFETIME_SECONDS });
  if (issued.refreshSecret !== undefined) {
    cookies.write(REFRESH_COOKIE, issued.refreshSecret, { maxAgeSeconds: SESSION_LIFETIME_DAYS * 86_400 });
  }
  return { user: issued.user, idToken: issued.idToken, expiresAt: issued.expiresAt.toISOString() };
}

function clearCookies(cookies: Cookies): void {
  cookies.clear(AUTH_COOKIE);
  cookies.clear(REFRESH_COOKIE);
}
