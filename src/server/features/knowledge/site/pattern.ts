/**
 * Whether a path is what a pattern means, from its first character to its last: `*` stands for anything, also for nothing.
 * Each stretch between two `*` is searched for once, from the left; no expression is made from the pattern, so it can't
 * be written in a way that takes longer than its length.
 */
export function matchesPattern(pattern: string, path: string): boolean {
  const [first = '', ...rest] = encoded(pattern).split(/\*+/);
  const last = rest.pop();
  const target = encoded(path);
  if (last === undefined) return target === first;
  if (!target.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const found = target.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
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
