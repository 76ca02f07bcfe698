import { desc, gt, isNull, or, sql } from 'drizzle-orm';
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JWK,
} from 'jose';
import { ID_TOKEN_LIFETIME_SECONDS } from '../../contract/limits.ts';
import { signingKey } from '../db/schema/index.ts';
import type { Database } from '../db/scope.ts';
import type { Vault } from './secrets.ts';

export const SIGNING_ALGORITHM = 'ES256';

/** How often keys are reread, so that every process learns of one made or retired elsewhere. */
const CACHE_MS = 30_000;
/**
 * A token with an unknown key may come from another process that has just made it; keys are reread for one at most this
 * often.
 */
const UNKNOWN_KEY_CACHE_MS = 1000;

export interface SigningKeys {
  /** The key that signs new tokens. */
  current: () => Promise<{ kid: string; privateKey: CryptoKey }>;
  /** Undefined for a key that is unknown or was retired longer ago than a token's lifetime. */
  verifier: (kid: string) => Promise<CryptoKey | undefined>;
  jwks: () => Promise<{ keys: JWK[] }>;
  /** Makes a new current key; tokens signed with old ones stay valid until they expire. */
  rotate: () => Promise<void>;
}

interface LoadedKeys {
  /** On the monotonic clock. */
  loadedAt: number;
  newest: { kid: string; privateKey: CryptoKey } | undefined;
  publicKeys: Map<string, { jwk: JWK; key: CryptoKey }>;
}

export function createSigningKeys(db: Database, vault: Vault): SigningKeys {
  let cache: Promise<LoadedKeys> | undefined;
  const load = async (maxAgeMs = CACHE_MS): Promise<LoadedKeys> => {
    const known = await cache?.catch(() => undefined);
    if (!known || performance.now() - known.loadedAt > maxAgeMs) cache = loadKeys(db, vault);
    return cache as Promise<LoadedKeys>;
  };
  return {
    current: async () => {
      let { newest } = await load();
      if (!newest) {
        await makeKey(db, vault, 'if-none');
        ({ newest } = await load(-1));
      }
      if (!newest) throw new Error('No signing key could be created.');
      return newest;
    },
    verifier: async (kid) =>
      (await load()).publicKeys.get(kid)?.key ?? (await load(UNKNOWN_KEY_CACHE_MS)).publicKeys.get(kid)?.key,
    jwks: async () => ({ keys: [...(await load()).publicKeys.values()].map(({ jwk }) => jwk) }),
    rotate: async () => {
      await makeKey(db, vault, 'always');
      await load(-1);
    },
  };
}

async function loadKeys(db: Database, vault: Vault): Promise<LoadedKeys> {
  const isUsable = or(
    isNull(signingKey.retiredAt),
    gt(signingKey.retiredAt, sql`now() - make_interval(secs => ${ID_TOKEN_LIFETIME_SECONDS})`),
  );
  const rows = await db.unscoped
    .select()
    .from(signingKey)
    .where(isUsable)
    .orderBy(desc(signingKey.createdAt), desc(signingKey.id));
  const publicKeys: LoadedKeys['publicKeys'] = new Map();
  for (const row of rows) {
    const jwk = row.publicJwk as JWK;
    publicKeys.set(row.id, { jwk, key: (await importJWK(jwk, SIGNING_ALGORITHM)) as CryptoKey });
  }
  const active = rows.find((row) => row.retiredAt === null);
  const newest = active && {
    kid: active.id,
    privateKey: (await importJWK(
      JSON.parse(vault.decrypt(active.privateJwk, active.id)) as JWK,
      SIGNING_ALGORITHM,
    )) as CryptoKey,
  };
  return { loadedAt: performance.now(), newest, publicKeys };
}

async function makeKey(db: Database, vault: Vault, when: 'always' | 'if-none'): Promise<void> {
  const pair = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const publicJwk = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const privateJwk = vault.encrypt(JSON.stringify(await exportJWK(pair.privateKey)), kid);
  await db.in({}, async (tx) => {
    // Two processes starting on an empty database must not both make the first key.
    await tx.execute(sql`lock table ${signingKey} in share row exclusive mode`);
    const active = await tx
      .select({ id: signingKey.id })
      .from(signingKey)
      .where(isNull(signingKey.retiredAt));
    if (when === 'if-none' && active.length > 0) return;
    await tx
      .update(signingKey)
      .set({ retiredAt: sql`now()` })
      .where(isNull(signingKey.retiredAt));
    await tx.insert(signingKey).values({
      id: kid,
      publicJwk: { ...publicJwk, kid, alg: SIGNING_ALGORITHM, use: 'sig' },
      privateJwk,
    });
  });
}
