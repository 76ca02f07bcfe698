import * as z from 'zod';
import { EmailAddress, Empty, OwnPath, text, Timestamp } from './common.ts';
import { idOf } from './id.ts';
import {
  GOOGLE_SIGN_INS_PER_HOUR_AND_ADDRESS,
  GUESTS_PER_HOUR_AND_ADDRESS,
  SIGN_IN_LINK_MAX_ATTEMPTS,
  SIGN_IN_LINKS_PER_HOUR,
  TOKEN_MAX_CHARACTERS,
} from './limits.ts';
import { route } from './route.ts';

export const providerIds = ['google', 'email'] as const;
export type ProviderId = (typeof providerIds)[number];

/** One of a person's sign-in methods. */
export const Provider = z.object({ providerId: z.enum(providerIds), email: z.string().nullable() });

/** What the browser keeps about the signed-in person; `isMember` mirrors the token's `member` claim. */
export const AuthUser = z.object({
  uid: idOf('user'),
  name: z.string(),
  username: z.string().nullable(),
  profilePhoto: z.string(),
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  providerData: z.array(Provider),
  isAnonymous: z.boolean(),
  isMember: z.boolean(),
});
export type AuthUser = z.infer<typeof AuthUser>;

/** `idToken` is a JWT valid until `expiresAt`; the refresh secret travels only in an HttpOnly cookie. */
export const Session = z.object({ user: AuthUser, idToken: z.string(), expiresAt: Timestamp });
export type Session = z.infer<typeof Session>;

export const identity = {
  signInAsGuest: route({
    method: 'POST',
    path: '/v1/identity/guest',
    summary: 'Sign in as a guest',
    limit: { requests: GUESTS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
    access: 'public',
    input: Empty,
    output: Session,
  }),
  /** Responds identically for known and unknown addresses. The link works only in the browser that requested it. */
  sendSignInLink: route({
    method: 'POST',
    path: '/v1/identity/email-link',
    summary: 'Send an e-mail sign-in link',
    limit: { requests: SIGN_IN_LINKS_PER_HOUR, seconds: 3600 },
    access: 'public',
    input: z.strictObject({ email: EmailAddress }),
    output: z.object({ sent: z.literal(true) }),
  }),
  /** Errors: 400 `auth/invalid-action-code` for anything but a currently valid link, 400 `auth/missing-email`. */
  confirmSignInLink: route({
    method: 'POST',
    path: '/v1/identity/email-link/confirm',
    summary: 'Sign in with an e-mail link',
    limit: { requests: SIGN_IN_LINKS_PER_HOUR * SIGN_IN_LINK_MAX_ATTEMPTS, seconds: 3600 },
    access: 'public',
    input: z.strictObject({
      email: z.union([EmailAddress, z.literal('')]).optional(),
      token: text(TOKEN_MAX_CHARACTERS).default(''),
    }),
    output: Session,
  }),
  /**
   * Sends a link to a new address. Confirmed like a sign-in link, in the same browser and by the same person, it replaces
   * the address they had, which is told so; their other sessions end. Confirming is a 409 when the address is somebody
   * else's.
   */
  changeEmail: route({
    method: 'POST',
    path: '/v1/identity/email',
    summary: 'Change my e-mail address',
    limit: { requests: SIGN_IN_LINKS_PER_HOUR, seconds: 3600 },
    access: 'user',
    input: z.strictObject({ email: EmailAddress }),
    output: z.object({ sent: z.literal(true) }),
  }),
  /** Which sign-in methods this installation offers. */
  providers: route({
    method: 'GET',
    path: '/v1/identity/providers',
    summary: 'Ways to sign in',
    access: 'public',
    input: Empty,
    output: z.object({
      providers: z.array(z.enum(providerIds)),
      /**
       * Where sign-in links go: by mail; without a mail server to `/dev/inbox` on the machine itself or, where that
       * isn't shown, nowhere.
       */
      mail: z.enum(['sent', 'inbox', 'none']),
    }),
  }),
  /**
   * Starts signing in with Google or, for a signed-in person, linking it: returns the Google address to go to, by
   * redirect or in a popup. Google leads back to the page `/auth/google`, in the same browser, with `code`, `state`
   * and, from providers that identify themselves, `iss`.
   */
  startGoogle: route({
    method: 'POST',
    path: '/v1/identity/google/start',
    summary: 'Start to sign in with Google',
    limit: { requests: GOOGLE_SIGN_INS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
    access: 'public',
    input: z.strictObject({ returnTo: OwnPath.default('/') }),
    output: z.object({ url: z.string() }),
  }),
  /**
   * Completes it. `linked`: the person keeps their id, guest or not. `merged`: a guest's data went to the person who
   * owns the Google account. Errors: 409 when the account belongs to someone else and the caller isn't a guest.
   */
  finishGoogle: route({
    method: 'POST',
    path: '/v1/identity/google/finish',
    summary: 'Sign in with Google',
    limit: { requests: GOOGLE_SIGN_INS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
    access: 'public',
    input: z.strictObject({ code: text(2048, 1), state: text(512, 1), iss: text(512).optional() }),
    output: z.object({
      session: Session,
      outcome: z.enum(['signed-in', 'linked', 'merged']),
      returnTo: z.string(),
    }),
  }),
  /** Removes a sign-in method; never the last one. */
  unlink: route({
    method: 'POST',
    path: '/v1/identity/unlink',
    summary: 'Unlink a provider',
    access: 'user',
    input: z.strictObject({ providerId: z.enum(providerIds) }),
    output: z.object({ user: AuthUser }),
  }),
  signOutEverywhere: route({
    method: 'POST',
    path: '/v1/identity/sign-out-everywhere',
    summary: 'End all my sessions',
    access: 'user',
    input: Empty,
    output: z.object({ ended: z.number().int() }),
  }),
  /** Renews the session using its refresh cookie; `session` is null when nobody is signed in. */
  refresh: route({
    method: 'POST',
    path: '/v1/identity/refresh',
    summary: 'Renew the session',
    access: 'public',
    input: Empty,
    output: z.object({ session: Session.nullable() }),
  }),
  signOut: route({
    method: 'POST',
    path: '/v1/identity/sign-out',
    summary: 'End the session',
    access: 'public',
    input: Empty,
    output: z.object({ signedOut: z.literal(true) }),
  }),
};
