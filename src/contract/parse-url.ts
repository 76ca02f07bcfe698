/** Null if it isn't an address. `URL.parse` does the same, but Safari only has it since version 18. */
export function parseUrl(address: string, base?: string): URL | null {
  return URL.canParse(address, base) ? new URL(address, base) : null;
}
