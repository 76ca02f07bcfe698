import { WebAddress } from '../../contract/common.ts';

/** `example.com/help` is what people type and mean by it `https://example.com/help`. Null for what is no address. */
export function asAddress(line: string): string | null {
  const text = line.trim();
  const address = /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]\S*)?$/.test(text) ? `https://${text}` : text;
  return !/\s/.test(address) && WebAddress.safeParse(address).success ? address : null;
}
