import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type * as z from 'zod';
import type { Location as LocationSchema } from '../../../contract/user.ts';
import { createdAt, moment } from './columns.ts';

type Location = z.infer<typeof LocationSchema>;

export const user = pgTable(
  'user',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    username: text('username'),
    profilePhoto: text('profile_photo').notNull(),
    email: text('email'),
    emailVerified: boolean('email_verified').notNull().default(false),
    isAnonymous: boolean('is_anonymous').notNull(),
    /** From this person's referral link; null: none was requested yet. */
    referralCode: text('referral_code'),
    location: jsonb('location').$type<Partial<Location>>(),
    /** Set once registration is complete: from then on the token's `member` claim is true. */
    registeredAt: moment('registered_at'),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('user_email').on(table.email),
    uniqueIndex('user_referral_code').on(table.referralCode),
    uniqueIndex('user_username').on(sql`lower(${table.username})`),
  ],
);

/** One sign-in on one browser. Refresh secrets are stored hashed; reusing an old one ends the session. */
export const session = pgTable(
  'session',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    refreshHash: text('refresh_hash').notNull(),
    previousRefreshHash: text('previous_refresh_hash'),
    refreshedAt: moment('refreshed_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    revokedAt: moment('revoked_at'),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('session_refresh_hash').on(table.refreshHash),
    index('session_previous_refresh_hash').on(table.previousRefreshHash),
    index('session_user').on(table.userId),
  ],
);

/** Refresh secrets that no legitimate holder of the session still has: using one ends it. Kept for as long as one may turn up. */
export const retiredRefresh = pgTable(
  'retired_refresh',
  {
    refreshHash: text('refresh_hash').primaryKey(),
    sessionId: text('session_id')
      .notNull()
      .references(() => session.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (table) => [index('retired_refresh_session').on(table.sessionId, table.createdAt)],
);

export const signInLink = pgTable(
  'sign_in_link',
  {
    id: text('id').primaryKey(),
    email: text('email').notNull(),
    tokenHash: text('token_hash').notNull(),
    /** Binds the link to the browser that requested it. */
    browserHash: text('browser_hash').notNull(),
    /** Whose address it changes; null: it signs in. */
    userId: text('user_id').references(() => user.id, { onDelete: 'cascade' }),
    attempts: integer('attempts').notNull().default(0),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('sign_in_link_token_hash').on(table.tokenHash),
    index('sign_in_link_email').on(table.email, table.createdAt),
  ],
);

/** Key pairs for identity tokens; the private half is encrypted. */
export const signingKey = pgTable('signing_key', {
  id: text('id').primaryKey(),
  publicJwk: jsonb('public_jwk').notNull(),
  privateJwk: text('private_jwk').notNull(),
  retiredAt: moment('retired_at'),
  createdAt: createdAt(),
});

/** A sign-in method through another identity provider. Each account at a provider belongs to one user. */
export const account = pgTable(
  'account',
  {
    provider: text('provider', { enum: ['google'] }).notNull(),
    /** The provider's own identifier for the person, which never changes; an address may. */
    subject: text('subject').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    email: text('email'),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.subject] }),
    uniqueIndex('account_user_provider').on(table.userId, table.provider),
  ],
);

/** A sign-in in progress at a provider, bound to the browser that started it. */
export const oauthState = pgTable('oauth_state', {
  stateHash: text('state_hash').primaryKey(),
  browserHash: text('browser_hash').notNull(),
  /** PKCE; worthless without the code, as is the code without it. */
  codeVerifier: text('code_verifier').notNull(),
  nonce: text('nonce').notNull(),
  /** Who was signed in when it started: the account is linked to them. */
  userId: text('user_id').references(() => user.id, { onDelete: 'cascade' }),
  returnTo: text('return_to').notNull(),
  expiresAt: moment('expires_at').notNull(),
});

/** First steps a person has completed. */
export const onboardingEvent = pgTable(
  'onboarding_event',
  {
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    event: text('event').notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.event] })],
);
