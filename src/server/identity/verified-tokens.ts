import type { JWTPayload } from 'jose';
import type { SigningKeys } from './keys.ts';

/** Less than the time within which a removed key has to end its tokens. */
const REMEMBERED_MS = 30_000;
const MOST = 5000;

interface Verified {
  payload: JWTPayload;
  /** By a clock that nobody sets; when the token ends is said by the other. */
  until: number;
}

const byKeys = new WeakMap<SigningKeys, Map<string, Verified>>();

/** What a token said whose signature was checked a moment ago: checking it takes longer than all else of a small call. */
export function recall(keys: SigningKeys, kind: string, token: string): JWTPayload | undefined {
  const found = byKeys.get(keys)?.get(`${kind} ${token}`);
  if (!found || found.until <= performance.now()) return undefined;
  return (found.payload.exp ?? 0) * 1000 > Date.now() ? found.payload : undefined;
}

/** Remembers it for a while, at most until the token ends. The oldest are forgotten first. */
export function remember(keys: SigningKeys, kind: string, token: string, payload: JWTPayload): void {
  const verified = byKeys.get(keys) ?? new Map<string, Verified>();
  byKeys.set(keys, verified);
  const key = `${kind} ${token}`;
  verified.delete(key);
  verified.set(key, { payload, until: performance.now() + REMEMBERED_MS });
  const [oldest] = verified.keys();
  if (verified.size > MOST && oldest !== undefined) verified.delete(oldest);
}
