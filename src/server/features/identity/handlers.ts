import type { identity as contract, Session } from '../../../contract/identity.ts';
import {
  ID_TOKEN_LIFETIME_SECONDS,
  SESSION_LIFETIME_DAYS,
  SIGN_IN_LINK_LIFETIME_MINUTES,
  SIGN_IN_LINKS_PER_HOUR,
} from '../../../contract/limits.ts';
import { AppError } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import type { Handlers, RequestContext } from '../../call.ts';
import type { IssuedSession } from '../../identity/identity.ts';
import { hashSecret, newSecret } from '../../identity/secrets.ts';
import { enqueueMail } from '../mail/store.ts';
import { signInMail } from './sign-in-mail.ts';
import * as store from './store.ts';

export const AUTH_COOKIE = 'auth-token';
const REFRESH_COOKIE = 'refresh-token';
const REFRESH_PATH = '/v1/identity';
/** Binds a sign-in link to the browser that asked for it. */
const BROWSER_COOKIE = 'sign-in-browser';

export function identityHandlers({ db, identity, jobs, realtime }: Deps): Handlers<typeof contract> {
  return {
    signInAsGuest: async (_input, _caller, { cookies }) => {
      const guest = await db.in({}, store.insertGuest);
      return handOver(await identity.startSession(guest), cookies);
    },

    sendSignInLink: async ({ email }, _caller, { cookies, origin }) => {
      const token = newSecret();
      const browser = cookies.read(BROWSER_COOKIE) ?? newSecret();
      await db.in({}, async (tx) => {
        if ((await store.countRecentLinks(tx, email)) >= SIGN_IN_LINKS_PER_HOUR) {
          throw new AppError('request/rate-limited', 'Too many links were asked for this address.', {
            retryAfterSeconds: 3600,
          });
        }
        await store.insertLink(tx, { email, tokenHash: hashSecret(token), browserHash: hashSecret(browser) });
        await enqueueMail(tx, jobs, email, signInMail(`${origin}/auth/email-verification?token=${token}`));
      });
      cookies.write(BROWSER_COOKIE, browser, {
        maxAgeSeconds: SIGN_IN_LINK_LIFETIME_MINUTES * 60,
        path: REFRESH_PATH,
      });
      return { sent: true };
    },

    confirmSignInLink: async ({ email, token }, caller, { cookies }) => {
      if (!email) throw new AppError('auth/missing-email');
      const link = {
        email,
        tokenHash: hashSecret(token),
        browserHash: hashSecret(cookies.read(BROWSER_COOKIE) ?? ''),
      };
      const guestId = caller.kind === 'user' && caller.isAnonymous ? caller.userId : undefined;
      // Not in one transaction with what follows: a wrong try must stay counted.
      if (!(await db.in({}, (tx) => store.consumeLink(tx, link))))
        throw new AppError('auth/invalid-action-code');
      const user = await db.in({}, (tx) => store.claimEmail(tx, email, guestId));
      return handOver(await identity.startSession(user), cookies);
    },

    refresh: async (_input, _caller, { cookies }) => {
      const secret = cookies.read(REFRESH_COOKIE);
      const renewed = secret === undefined ? undefined : await identity.renew(secret);
      if (renewed) return { session: handOver(renewed, cookies) };
      clearCookies(cookies);
      return { session: null };
    },

    signOut: async (_input, _caller, { cookies }) => {
      const secret = cookies.read(REFRESH_COOKIE);
      const ended = secret === undefined ? undefined : await identity.end(secret);
      if (ended) realtime.disconnectSession(ended);
      clearCookies(cookies);
      return { signedOut: true };
    },
  };
}

function handOver(issued: IssuedSession, cookies: RequestContext['cookies']): Session {
  cookies.write(AUTH_COOKIE, issued.idToken, { maxAgeSeconds: ID_TOKEN_LIFETIME_SECONDS });
  if (issued.refreshSecret !== undefined) {
    cookies.write(REFRESH_COOKIE, issued.refreshSecret, {
      maxAgeSeconds: SESSION_LIFETIME_DAYS * 86_400,
      path: REFRESH_PATH,
    });
  }
  return { user: issued.user, idToken: issued.idToken, expiresAt: issued.expiresAt.toISOString() };
}

function clearCookies(cookies: RequestContext['cookies']): void {
  cookies.clear(AUTH_COOKIE);
  cookies.clear(REFRESH_COOKIE, { path: REFRESH_PATH });
}
