/** The text before, between and after a pattern's `*`: prepared once and matched against many paths. */
export function stretchesOf(pattern: string): string[] {
  return encoded(pattern).split(/\*+/);
}

/**
 * Whether a path, as returned by `encoded`, matches a pattern from its first character to its last: `*` stands for
 * anything, including nothing. Each part between two `*` is searched for once, from the left; no regular expression is
 * built from the pattern, so no pattern can take more time than its length warrants.
 */
export function holdsStretches(stretches: readonly string[], target: string): boolean {
  const [first = ''] = stretches;
  if (stretches.length === 1) return target === first;
  if (!target.startsWith(first)) return false;
  let from = first.length;
  for (const part of stretches.slice(1, -1)) {
    const found = target.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  const last = stretches.at(-1) ?? '';
  return target.length - from >= last.length && target.endsWith(last);
}

/** `/größe` and `/gr%c3%b6%C3%9Fe` are the same path. */
export function encoded(path: string): string {
  const ascii = path.replace(/[^!-~]+/gu, (part) => encodeURIComponent(part.toWellFormed()));
  return ascii.replace(/%[0-9a-f]{2}/gi, (part) => {
    const character = String.fromCharCode(Number.parseInt(part.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : part.toUpperCase();
  });
}
