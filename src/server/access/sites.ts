/**
 * Whether a page of this origin may show an agent with this list; an empty list is for everybody. The origin must be
 * written as browsers write it, so that nothing is understood in two ways: another scheme, port, case or a trailing dot is
 * another site, and `null` is none.
 */
export function isAllowedSite(allowed: readonly string[], site: string | undefined): boolean {
  if (allowed.length === 0) return true;
  const url = URL.parse(site ?? '');
  // An asterisk stands in lists; URLs can carry one too.
  if (!url || url.origin !== site || site.includes('*')) return false;
  return allowed.some((entry) => entry === site || isBelow(url, entry));
}

/** `https://*.a.com` is for `https://b.a.com` and `https://c.b.a.com`, not for `https://a.com`. */
function isBelow({ protocol, host }: URL, entry: string): boolean {
  const [scheme, suffix] = entry.split('://*');
  return (
    suffix !== undefined && `${scheme}:` === protocol && host.length > suffix.length && host.endsWith(suffix)
  );
}
