import { isIP, type LookupFunction } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import type { Target } from './target.ts';

export type Answer = Dispatcher.ResponseData;

/**
 * Sends one GET over a dedicated connection and passes the response to `work`; the connection ends with it, so it is
 * never reused for a name that has since come to resolve to another address.
 */
export async function withAnswer<T>(
  target: Target,
  headers: Record<string, string>,
  signal: AbortSignal,
  work: (answer: Answer) => Promise<T>,
): Promise<T> {
  const client = clientTo(target);
  try {
    const path = target.url.pathname + target.url.search;
    return await work(await client.request({ method: 'GET', path, headers, signal }));
  } finally {
    await client.destroy();
  }
}

/**
 * A connection to the checked addresses only. Host, SNI and certificate remain those of the name. undici's `Client`
 * reads no proxy variables, follows no redirects and keeps no cookies.
 */
export function clientTo({ url, addresses }: Target, limits: Client.Options = {}): Client {
  const { connect } = limits;
  return new Client(url.origin, {
    ...limits,
    connect: {
      ...(typeof connect === 'object' ? connect : {}),
      lookup: onlyTo(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: 2000,
    },
    allowH2: false,
    maxCachedSessions: 0,
  });
}

/** The name isn't resolved again. Not called for a literal address, which was itself checked. */
function onlyTo(addresses: string[]): LookupFunction {
  const checked = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, _options, done) => done(null, checked);
}
