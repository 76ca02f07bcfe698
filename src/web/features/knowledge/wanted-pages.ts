/** Whether a page's path is wanted: it matches one of `include`, or there are none, and none of `exclude`. */
export function isWanted(url: string, include: readonly string[], exclude: readonly string[]): boolean {
  const { pathname, search } = new URL(url);
  const isMatch = (pattern: string) => matches(pattern, pathname) || matches(pattern, pathname + search);
  return (include.length === 0 || include.some(isMatch)) && !exclude.some(isMatch);
}

/** `*` matches anything, everything else itself. */
function matches(pattern: string, path: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return path === first;
  let from = path.startsWith(first) ? first.length : -1;
  for (const part of rest) {
    const found = from < 0 ? -1 : path.indexOf(part, from);
    from = found < 0 ? -1 : found + part.length;
  }
  return from >= 0 && path.length - from >= last.length && path.endsWith(last);
}
