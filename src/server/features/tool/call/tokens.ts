import type { Authentication } from '../../../../contract/tool.ts';
import { AppError } from '../../../app-error.ts';
import type { Fetch } from '../../../egress/model-fetch.ts';
import { GrantRefused, requestToken } from './token-request.ts';

type OAuth = Extract<Authentication, { type: 'oauth2' }>;

/** Renew tokens this long before they expire, so that none expires in flight. */
const MARGIN_MS = 30_000;
/** For tokens without a stated lifetime. */
const USUAL_LIFETIME_SECONDS = 300;
const TOKENS_KEPT_MAX = 1000;

/** Service tokens from client credentials, cached in this process's memory only, until shortly before they expire. */
export class Tokens {
  readonly #fetch: Fetch;
  readonly #known = new Map<string, { token: Promise<string>; endsAt: number }>();

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  /** `key` changes whenever the tool does. Concurrent calls request one token. */
  async of(key: string, authentication: OAuth, secret: string): Promise<string> {
    const known = this.#known.get(key);
    if (known && known.endsAt > Date.now()) return known.token;
    const entry = { token: Promise.resolve(''), endsAt: Number.POSITIVE_INFINITY };
    entry.token = this.#ask(authentication, secret).then(
      ({ token, seconds }) => {
        entry.endsAt = Date.now() + seconds * 1000 - MARGIN_MS;
        return token;
      },
      (error: unknown) => {
        this.#known.delete(key);
        throw error;
      },
    );
    if (this.#known.size >= TOKENS_KEPT_MAX) this.#known.clear();
    this.#known.set(key, entry);
    return entry.token;
  }

  /** Call when a service has refused it. */
  forget(key: string): void {
    this.#known.delete(key);
  }

  async #ask(
    { tokenUrl, clientId, scope }: OAuth,
    secret: string,
  ): Promise<{ token: string; seconds: number }> {
    const grant = { grant_type: 'client_credentials', ...(scope ? { scope } : {}) };
    const given = await requestToken(this.#fetch, { tokenUrl, clientId, secret }, grant).catch(asFailure);
    return { token: given.accessToken, seconds: given.lifetimeSeconds ?? USUAL_LIFETIME_SECONDS };
  }
}

function asFailure(error: unknown): never {
  if (error instanceof GrantRefused) throw new AppError('egress/failed', 'The service returned no token.');
  throw error;
}
