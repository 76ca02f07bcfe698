/** Null for what is no address. `URL.parse` is the same, and Safari has it only since version 18. */
export function parseUrl(address: string, base?: string): URL | null {
  return URL.canParse(address, base) ? new URL(address, base) : null;
}
