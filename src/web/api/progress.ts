import { GATEWAY_STATUSES } from '../../contract/client.ts';
import { isReachable } from '../online.ts';
import { createStore } from '../store.ts';

/** The number of requests in progress; the bar at the top of the page shows while there are any. */
export const requestsUnderWay = createStore(0);

/** A `fetch` that detects when the server is gone. */
export const watchedFetch: typeof fetch = async (input, init) => {
  try {
    const response = await fetch(input, init);
    if (GATEWAY_STATUSES.includes(response.status)) void isReachable();
    return response;
  } catch (error) {
    if (!init?.signal?.aborted) void isReachable();
    throw error;
  }
};

/** The same, counted until its response begins. */
export const countedFetch: typeof fetch = async (input, init) => {
  requestsUnderWay.set(requestsUnderWay.get() + 1);
  try {
    return await watchedFetch(input, init);
  } finally {
    requestsUnderWay.set(requestsUnderWay.get() - 1);
  }
};
