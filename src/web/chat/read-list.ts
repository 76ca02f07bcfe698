/** The things of a list that the browser has kept, each with an id or a key. What somebody else left there may be anything, and is nothing. */
export function readList<T>(kept: string, named: keyof T & string): T[] {
  try {
    const list: unknown = JSON.parse(kept);
    return Array.isArray(list) ? list.filter((each) => typeof each?.[named] === 'string') : [];
  } catch {
    return [];
  }
}
