import {
  SOCKET_RECONNECT_JITTER,
  SOCKET_RECONNECT_MAX_MS,
  SOCKET_RECONNECT_MIN_MS,
} from '../contract/limits.ts';
import { createStore } from './store.ts';

/** How long a server that seems to be gone may take to respond. */
const ANSWER_MAX_MS = 10_000;

/** Whether there is a network with a server at the other end, as far as is known. */
export const online = createStore(navigator.onLine);

let looking: Promise<boolean> | null = null;
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** From then on the browser's own events count as well. */
export function startOnline(): void {
  addEventListener('online', () => void isReachable());
  addEventListener('offline', () => online.set(false));
}

/** Contacts the server. One that doesn't respond is retried until it does; meanwhile `online` is false. */
export function isReachable(): Promise<boolean> {
  looking ??= look().finally(() => (looking = null));
  return looking;
}

/** Resolves as soon as the server is reachable. */
export function untilOnline(): Promise<void> {
  return new Promise((resolve) => {
    if (online.get()) return resolve();
    const stop = online.subscribe(() => {
      if (!online.get()) return;
      stop();
      resolve();
    });
  });
}

async function look(): Promise<boolean> {
  clearTimeout(timer);
  const isThere = navigator.onLine && (await answers());
  failures = isThere ? 0 : failures + 1;
  // Without a network, the browser reports when it is back.
  if (!isThere && navigator.onLine) timer = setTimeout(() => void isReachable(), pause());
  online.set(isThere);
  return isThere;
}

function answers(): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_MAX_MS);
  return fetch('/healthz', { cache: 'no-store', signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** With jitter, so that pages don't retry all at once. */
function pause(): number {
  const longest = Math.min(SOCKET_RECONNECT_MIN_MS * 2 ** (failures - 1), SOCKET_RECONNECT_MAX_MS);
  return longest * (1 - SOCKET_RECONNECT_JITTER * Math.random());
}
