import { BlockList, isIP } from 'node:net';

/** Whether an address is one of these, or in one of these ranges such as 10.0.0.0/8; a non-address never is. */
export function addressList(given: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const each of given) {
    const [address = '', bits] = each.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
}
