import type { IncomingMessage } from 'node:http';
import { addressList } from '../egress/address-list.ts';

type TrustsProxy = (address: string) => boolean;

/** Names for ranges of addresses that a machine or a network of its own has. */
const ranges: Record<string, string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Of which addresses `X-Forwarded-For` is believed: addresses, ranges like 10.0.0.0/8, or a name of ranges. */
export function trustedProxies(given: string[]): TrustsProxy {
  return addressList(given.flatMap((one) => ranges[one] ?? [one]));
}

/** The client's address, for what does not come through Fastify: the last hop that no trusted proxy is, as there. */
export function clientAddress({ socket, headers }: IncomingMessage, isTrusted: TrustsProxy): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean);
  const hops = [socket.remoteAddress ?? '', ...forwarded.toReversed()];
  return hops.find((hop) => !isTrusted(hop)) ?? hops.at(-1) ?? '';
}
