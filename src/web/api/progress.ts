import { createStore } from '../store.ts';

/** How many requests are under way; the bar at the top of the page shows while there are any. */
export const requestsUnderWay = createStore(0);

/** `fetch` that is counted until its answer begins. */
export const countedFetch: typeof fetch = async (input, init) => {
  requestsUnderWay.set(requestsUnderWay.get() + 1);
  try {
    return await fetch(input, init);
  } finally {
    requestsUnderWay.set(requestsUnderWay.get() - 1);
  }
};
