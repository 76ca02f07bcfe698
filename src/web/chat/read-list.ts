/** Parses a list from browser storage whose items each have an ID or a key. Anything foreign found there is ignored. */
export function readList<T>(kept: string, named: keyof T & string): T[] {
  try {
    const list: unknown = JSON.parse(kept);
    return Array.isArray(list) ? list.filter((each) => typeof each?.[named] === 'string') : [];
  } catch {
    return [];
  }
}
