/** The browser's storage, which may be blocked or full: then reading finds nothing and writing does nothing. */

function attempt<T>(action: () => T): T | null {
  try {
    return action();
  } catch {
    return null;
  }
}

function keeper(area: () => Storage) {
  return {
    get: (key: string) => attempt(() => area().getItem(key)),
    set: (key: string, value: string) => void attempt(() => area().setItem(key, value)),
    keys: (): string[] => attempt(() => Object.keys(area())) ?? [],
    remove: (key: string) => void attempt(() => area().removeItem(key)),
  };
}

/** Outlives the tab; shared by all tabs. */
export const localKeeper = keeper(() => localStorage);
/** Lives as long as the tab. */
export const tabKeeper = keeper(() => sessionStorage);
