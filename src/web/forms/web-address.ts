import { WebAddress } from '../../contract/common.ts';

/** `example.com/help` is what people type for `https://example.com/help`. Null if it is not an address. */
export function asAddress(line: string): string | null {
  const text = line.trim();
  const address = /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]\S*)?$/.test(text) ? `https://${text}` : text;
  return !/\s/.test(address) && WebAddress.safeParse(address).success ? address : null;
}
