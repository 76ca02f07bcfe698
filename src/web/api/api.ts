import { createClient, type ClientOptions } from '../../contract/client.ts';
import type { ParleyContract } from '../../contract/index.ts';
import { calls } from './calls.ts';
import type { LaterArea } from './later-areas.ts';
import { countedFetch, watchedFetch } from './progress.ts';
import { freshToken, refreshSession } from '../session/session.ts';

/**
 * Sends a request; if its token is rejected (revoked, or the server's keys are new), renews the session and resends it
 * once with the new token.
 */
const renewing =
  (request: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await request(input, init);
    const headers = new Headers(init?.headers);
    if (response.status !== 401 || !headers.has('authorization')) return response;
    const session = await refreshSession().catch(() => null);
    if (!session) return response;
    headers.set('authorization', `Bearer ${session.idToken}`);
    return request(input, { ...init, headers });
  };

/** For `send`, where a call's answer is read as a stream. */
export const clientOptions: ClientOptions = { baseUrl: '', token: freshToken, fetch: renewing(countedFetch) };

/** The calls of the API, typed by the contract; those of later areas have their own clients. */
export const api = createClient<Omit<ParleyContract, LaterArea>>(calls, clientOptions);

/** The same for background polling, which the progress bar ignores. */
type InBackground = 'inbox' | 'organization' | 'purchase' | 'storefront';
export const backgroundApi = createClient<Pick<ParleyContract, InBackground>>(
  {
    inbox: calls.inbox,
    organization: calls.organization,
    purchase: calls.purchase,
    storefront: calls.storefront,
  },
  { ...clientOptions, fetch: renewing(watchedFetch) },
);
