import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { AppError } from '../app-error.ts';
import type { Config } from '../config/config.ts';
import { isPublicAddress } from './addresses.ts';

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<string[]>;

/** IPv4 first, because a machine without IPv6 gets IPv6 addresses as well. */
export async function resolveBySystem(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true, order: 'ipv4first' });
  return found.map(({ address }) => address);
}

/** A checked destination: the only addresses that a connection for this URL may use. */
export interface Target {
  url: URL;
  addresses: string[];
}

/** Services above the reserved ports that could be tricked into reading a request as their own protocol. */
const foreignPorts = new Set([
  1080, 1099, 1433, 1521, 1723, 2049, 2181, 2375, 2376, 2379, 2380, 3128, 3306, 3389, 4369, 5060, 5061, 5432,
  5672, 5900, 5984, 6000, 6379, 6443, 6667, 6697, 7000, 7001, 8086, 9042, 9092, 9200, 9300, 10_250, 11_211,
  15_672, 27_017, 27_018,
]);

/** Names that refer to this machine or its surroundings wherever they are resolved. */
const innerNames = /(^|\.)(localhost|localdomain|local|internal|home\.arpa)$/;

/**
 * Checks one address that a person, a model or a redirect chose. Every rejection is the same error in the same words,
 * so that nothing is revealed about what is there. `allowedHosts` are exact `host:port` pairs that always pass.
 */
export async function targetOf(
  text: string,
  allowedHosts: ReadonlySet<string>,
  resolve: Resolve,
): Promise<Target> {
  const { url, host, isAllowed } = visiblyOuter(text, allowedHosts);
  const addresses = await addressesOf(host, resolve);
  if (!isAllowed && !addresses.every(isPublicAddress)) throw notAllowed();
  return { url, addresses };
}

/**
 * What an address reveals by itself, for when it is saved: names are resolved only when they are connected to. The same
 * error.
 */
export function requireVisiblyOuter(
  text: string,
  { ssrfAllowedHosts }: Pick<Config, 'ssrfAllowedHosts'>,
): void {
  visiblyOuter(text, new Set(ssrfAllowedHosts.map((host) => host.toLowerCase())));
}

function visiblyOuter(
  text: string,
  allowedHosts: ReadonlySet<string>,
): { url: URL; host: string; isAllowed: boolean } {
  const url = parse(text);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isAllowed = allowedHosts.has(`${url.hostname}:${port}`);
  const isInner = isForeignPort(port) || isInnerName(host) || (isIP(host) !== 0 && !isPublicAddress(host));
  if (isInner && !isAllowed) throw notAllowed();
  return { url, host, isAllowed };
}

/** Mail submission ports. */
const mailPorts = new Set([25, 465, 587, 2525]);

/** The same for a mail server. `isAllowed`: it is on the operator's list. */
export async function checkedHost(
  hostname: string,
  port: number,
  allowedHosts: ReadonlySet<string>,
  resolve: Resolve,
): Promise<{ addresses: string[]; isAllowed: boolean }> {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (allowedHosts.has(`${hostname}:${port}`))
    return { addresses: await addressesOf(host, resolve), isAllowed: true };
  if (!mailPorts.has(port) || isInnerName(host)) throw notAllowed();
  const addresses = await addressesOf(host, resolve);
  if (!addresses.every(isPublicAddress)) throw notAllowed();
  return { addresses, isAllowed: false };
}

/** The WHATWG parser normalizes every spelling of an address (decimal, octal, hex, full-width). */
function parse(text: string): URL {
  const url = /\p{Cc}/u.test(text) ? null : URL.parse(text);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isWeb || url.username || url.password) throw notAllowed();
  url.hash = '';
  return url;
}

/** Of the reserved ports (mail, shells, file shares ...) only the two web ports are allowed. */
function isForeignPort(port: number): boolean {
  return port < 1024 ? port !== 80 && port !== 443 : foreignPorts.has(port);
}

/** A public name contains a dot; one without is completed by the machine's own search list. */
function isInnerName(host: string): boolean {
  if (isIP(host)) return false;
  const name = host.replace(/(?<!\.)\.+$/, '');
  return !name.includes('.') || innerNames.test(name);
}

async function addressesOf(host: string, resolve: Resolve): Promise<string[]> {
  if (isIP(host)) return [host];
  const addresses = await resolve(host);
  if (addresses.length === 0) throw new AppError('egress/failed', 'No site with this name exists.');
  return addresses;
}

function notAllowed(): AppError {
  return new AppError('egress/url-not-allowed');
}
