/**
 * Whether a page of this origin may embed an agent with this list; an empty list allows every origin. The origin must
 * be written as browsers write it, so that nothing is ambiguous: another scheme, port or case, or a trailing dot, makes
 * it another site, and `null` is none.
 */
export function isAllowedSite(allowed: readonly string[], site: string | undefined): boolean {
  if (allowed.length === 0) return true;
  const url = URL.parse(site ?? '');
  // An asterisk belongs in lists, but URLs can contain one too.
  if (!url || url.origin !== site || site.includes('*')) return false;
  return allowed.some((entry) => entry === site || isBelow(url, entry));
}

/** `https://*.a.com` matches `https://b.a.com` and `https://c.b.a.com`, but not `https://a.com`. */
function isBelow({ protocol, host }: URL, entry: string): boolean {
  const [scheme, suffix] = entry.split('://*');
  return (
    suffix !== undefined && `${scheme}:` === protocol && host.length > suffix.length && host.endsWith(suffix)
  );
}
