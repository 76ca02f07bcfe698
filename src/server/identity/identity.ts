import type { AuthUser } from '../../contract/identity.ts';
import type { UserCaller } from '../call.ts';
import type { Database } from '../db/scope.ts';
import { CredentialCache } from './credential-cache.ts';
import { createSigningKeys, type SigningKeys } from './keys.ts';
import { hashSecret, newSecret, type Vault } from './secrets.ts';
import {
  findAccounts,
  insertSession,
  isSessionLive,
  renewSession,
  revokeSession,
  revokeSessionsOf,
  type Account,
  type User,
} from './store.ts';
import { signIdToken, verifyIdToken } from './tokens.ts';

/** A session as its browser receives it. */
export interface IssuedSession {
  user: AuthUser;
  idToken: string;
  expiresAt: Date;
  /** Undefined if the browser already holds the right one. */
  refreshSecret: string | undefined;
}

export interface Identity {
  keys: SigningKeys;
  /** The bearer of this token; undefined if it is invalid or its session has ended (noticed within 3 s). */
  identify: (idToken: string) => Promise<UserCaller | undefined>;
  startSession: (user: User) => Promise<IssuedSession>;
  /** A fresh token for the person as they are now; undefined if the session has ended. */
  renew: (refreshSecret: string) => Promise<IssuedSession | undefined>;
  /** Ends the session; returns its ID, or undefined if there was none. */
  end: (refreshSecret: string) => Promise<string | undefined>;
  /** Ends a session by ID; undefined if it had already ended. */
  endById: (sessionId: string) => Promise<string | undefined>;
  /** Ends all of a person's sessions except the one to keep; returns their IDs. */
  endAll: (userId: string, keepSessionId?: string) => Promise<string[]>;
  /** From now on this process refuses tokens of these sessions; other processes do so within 3 s. */
  forget: (sessionIds: string[]) => void;
  /** What the browser stores of a person, including their sign-in methods. */
  describe: (user: User) => Promise<AuthUser>;
}

export function createIdentity(db: Database, vault: Vault): Identity {
  const keys = createSigningKeys(db, vault);
  const live = new LiveSessions(db);
  const issue = async (sessionId: string, user: User, refreshSecret?: string): Promise<IssuedSession> => {
    const { idToken, expiresAt } = await signIdToken(keys, {
      sub: user.id,
      sid: sessionId,
      email: user.email,
      email_verified: user.emailVerified,
      isAnonymous: user.isAnonymous,
      member: user.registeredAt !== null,
    });
    return { user: await describe(user), idToken, expiresAt, refreshSecret };
  };
  const describe = async (user: User) => authUserOf(user, await findAccounts(db.unscoped, user.id));
  return {
    keys,
    describe,
    ...endings(db, live),
    identify: async (idToken) => {
      const claims = await verifyIdToken(keys, idToken);
      if (!claims || !(await live.has(claims.sid))) return undefined;
      return {
        kind: 'user',
        userId: claims.sub,
        sessionId: claims.sid,
        isAnonymous: claims.isAnonymous,
        isMember: claims.member,
      };
    },
    startSession: async (user) => {
      const refreshSecret = newSecret();
      const sessionId = await insertSession(db, user.id, hashSecret(refreshSecret));
      return issue(sessionId, user, refreshSecret);
    },
    renew: async (refreshSecret) => {
      const next = newSecret();
      const renewal = await renewSession(db, hashSecret(refreshSecret), hashSecret(next));
      return renewal && issue(renewal.sessionId, renewal.user, renewal.rotated ? next : undefined);
    },
  };
}

type Endings = Pick<Identity, 'end' | 'endById' | 'endAll' | 'forget'>;

function endings(db: Database, live: LiveSessions): Endings {
  const forget = (sessionIds: string[]): void => sessionIds.forEach((id) => live.forget(id));
  const endBy = async (by: Parameters<typeof revokeSession>[1]): Promise<string | undefined> => {
    const ended = await revokeSession(db, by);
    if (ended) live.forget(ended);
    return ended;
  };
  return {
    forget,
    end: (refreshSecret) => endBy({ refreshHash: hashSecret(refreshSecret) }),
    endById: (id) => endBy({ id }),
    endAll: async (userId, keepSessionId) => {
      const ended = await revokeSessionsOf(db, userId, keepSessionId);
      forget(ended);
      return ended;
    },
  };
}

/** Which sessions are still live, cached for a moment. */
class LiveSessions {
  readonly #db: Database;
  readonly #seen = new CredentialCache<true>();

  constructor(db: Database) {
    this.#db = db;
  }

  async has(sessionId: string): Promise<boolean> {
    const look = async () => (await isSessionLive(this.#db, sessionId)) || undefined;
    return (await this.#seen.find(sessionId, look)) ?? false;
  }

  forget(sessionId: string): void {
    this.#seen.forgetKey(sessionId);
  }
}

function authUserOf(user: User, accounts: Account[]): AuthUser {
  return {
    uid: user.id,
    name: user.name,
    username: user.username,
    profilePhoto: user.profilePhoto,
    email: user.email,
    emailVerified: user.emailVerified,
    providerData: providersOf(user, accounts),
    isAnonymous: user.isAnonymous,
    isMember: user.registeredAt !== null,
  };
}

/** A person's sign-in methods: accounts elsewhere, and their own address once it is confirmed. */
export function providersOf({ email, emailVerified }: User, accounts: Account[]): AuthUser['providerData'] {
  const linked = accounts.map((account) => ({ providerId: account.provider, email: account.email }));
  return email !== null && emailVerified ? [...linked, { providerId: 'email', email }] : linked;
}
