import { BlockList, isIP } from 'node:net';

/** Everything outside the public internet, from the IANA special-purpose registries. */
const notPublicIpv4 = listOf('ipv4', [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; some clouds keep their metadata service here
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // the Azure host, as seen from its machines
  '169.254.0.0/16', // link-local; metadata services
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]);

/**
 * Only 2000::/3 is allocated as public. Everything around it is rejected as a whole: `::`, `::1`, IPv4-compatible,
 * NAT64 (64:ff9b::/96, 64:ff9b:1::/48), unique local (fc00::/7), link-local (fe80::/10), site-local (fec0::/10),
 * multicast.
 */
const notPublicIpv6 = listOf('ipv6', [
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23', // protocol assignments, Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which can embed any IPv4 address
  '3fff::/20', // documentation
]);

const ipv4Mapped = listOf('ipv6', ['::ffff:0:0/96']);

/** Whether a literal address is on the public internet. An IPv4-mapped one is judged by its IPv4 address. */
export function isPublicAddress(address: string): boolean {
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 4) return !notPublicIpv4.check(address, 'ipv4');
  if (family !== 6) return false;
  if (ipv4Mapped.check(address, 'ipv6')) return !notPublicIpv4.check(address, 'ipv6');
  return !notPublicIpv6.check(address, 'ipv6');
}

function listOf(family: 'ipv4' | 'ipv6', subnets: string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', bits] = subnet.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
