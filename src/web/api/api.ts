import { createClient, type ClientOptions } from '../../contract/client.ts';
import type { ParleyContract } from '../../contract/index.ts';
import { calls } from './calls.ts';
import type { LaterArea } from './later-areas.ts';
import { countedFetch, watchedFetch } from './progress.ts';
import { freshToken, refreshSession } from '../session/session.ts';

/**
 * Sends a request; when its token is refused (revoked, or the server's keys are new), renews the session and sends it once
 * more with the new one.
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

/** The calls of the API, typed by the contract; those of later areas have clients of their own. */
export const api = createClient<Omit<ParleyContract, LaterArea>>(calls, clientOptions);

/** The same for what is asked again and again in the background, which the progress bar passes over. */
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
