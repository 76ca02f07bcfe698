import type { IncomingMessage } from 'node:http';
import { addressList } from '../egress/address-list.ts';

type TrustsProxy = (address: string) => boolean;

/** Names for address ranges of a machine or its local network. */
const ranges: Record<string, string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** The addresses whose `X-Forwarded-For` is trusted: addresses, ranges like 10.0.0.0/8, or a range name. */
export function trustedProxies(given: string[]): TrustsProxy {
  return addressList(given.flatMap((one) => ranges[one] ?? [one]));
}

/** The client's address, for requests that don't come through Fastify: as there, the last hop that is not a trusted proxy. */
export function clientAddress({ socket, headers }: IncomingMessage, isTrusted: TrustsProxy): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean);
  const hops = [socket.remoteAddress ?? '', ...forwarded.toReversed()];
  return hops.find((hop) => !isTrusted(hop)) ?? hops.at(-1) ?? '';
}
