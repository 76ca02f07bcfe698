import type { JWTPayload } from 'jose';
import type { SigningKeys } from './keys.ts';

/** Shorter than the time within which a removed key must invalidate its tokens. */
const REMEMBERED_MS = 30_000;
const MOST = 5000;

interface Verified {
  payload: JWTPayload;
  /** On the monotonic clock; the token's own expiry is on the system clock. */
  until: number;
}

const byKeys = new WeakMap<SigningKeys, Map<string, Verified>>();

/** The claims of a token whose signature was checked a moment ago: the check takes longer than the rest of a small call. */
export function recall(keys: SigningKeys, kind: string, token: string): JWTPayload | undefined {
  const found = byKeys.get(keys)?.get(`${kind} ${token}`);
  if (!found || found.until <= performance.now()) return undefined;
  return (found.payload.exp ?? 0) * 1000 > Date.now() ? found.payload : undefined;
}

/** Caches it for a while, at most until the token expires. The oldest entries are evicted first. */
export function remember(keys: SigningKeys, kind: string, token: string, payload: JWTPayload): void {
  const verified = byKeys.get(keys) ?? new Map<string, Verified>();
  byKeys.set(keys, verified);
  const key = `${kind} ${token}`;
  verified.delete(key);
  verified.set(key, { payload, until: performance.now() + REMEMBERED_MS });
  const [oldest] = verified.keys();
  if (verified.size > MOST && oldest !== undefined) verified.delete(oldest);
}
