import { createClient, type ClientOptions } from '../contract/client.ts';
import { contract } from '../contract/index.ts';
import { countedFetch } from './progress.ts';
import { freshToken, refreshSession } from './session.ts';

/**
 * Sends a request; when its token is refused (revoked, or the server's keys are new), renews the session and sends it once
 * more with the new one.
 */
const fetchRenewing: typeof fetch = async (input, init) => {
  const response = await countedFetch(input, init);
  const headers = new Headers(init?.headers);
  if (response.status !== 401 || !headers.has('authorization')) return response;
  const session = await refreshSession().catch(() => null);
  if (!session) return response;
  headers.set('authorization', `Bearer ${session.idToken}`);
  return countedFetch(input, { ...init, headers });
};

/** For `send`, where a call's answer is read as a stream. */
export const clientOptions: ClientOptions = { baseUrl: '', token: freshToken, fetch: fetchRenewing };

/** Every call of the API, typed by the contract. */
export const api = createClient(contract, clientOptions);
