import * as z from 'zod';
import { EmailAddress, Empty, text, Timestamp } from './common.ts';
import { idOf } from './id.ts';
import { GUESTS_PER_HOUR_AND_ADDRESS, SIGN_IN_LINK_MAX_ATTEMPTS, SIGN_IN_LINKS_PER_HOUR } from './limits.ts';
import { route } from './route.ts';

/** What the browser keeps of the person who is signed in; `isMember` mirrors the token's `member` claim. */
export const AuthUser = z.object({
  uid: idOf('user'),
  name: z.string(),
  username: z.string().nullable(),
  profilePhoto: z.string(),
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  isAnonymous: z.boolean(),
  isMember: z.boolean(),
});
export type AuthUser = z.infer<typeof AuthUser>;

/** `idToken` is a JWT that lives until `expiresAt`; the refresh secret travels only in an HttpOnly cookie. */
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
  /** Answers the same for known and unknown addresses. The link works only in the browser that asked for it. */
  sendSignInLink: route({
    method: 'POST',
    path: '/v1/identity/email-link',
    summary: 'Send an e-mail sign-in link',
    limit: { requests: SIGN_IN_LINKS_PER_HOUR, seconds: 3600 },
    access: 'public',
    input: z.strictObject({ email: EmailAddress }),
    output: z.object({ sent: z.literal(true) }),
  }),
  confirmSignInLink: route({
    method: 'POST',
    path: '/v1/identity/email-link/confirm',
    summary: 'Sign in with an e-mail link',
    limit: { requests: SIGN_IN_LINKS_PER_HOUR * SIGN_IN_LINK_MAX_ATTEMPTS, seconds: 3600 },
    access: 'public',
    input: z.strictObject({ email: z.union([EmailAddress, z.literal('')]).optional(), token: text(128) }),
    output: Session,
  }),
  /** Renews the session by its refresh cookie; `session` is null when nobody is signed in. */
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
