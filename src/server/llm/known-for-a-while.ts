import { OWN_PROVIDERS_KNOWN_MS } from '../../contract/limits.ts';

/** The most organizations to cache; the one read longest ago is evicted first. */
const ORGANIZATIONS_MAX = 5000;

export interface Known<T> {
  of: (organizationId: string) => Promise<T>;
  /** Call after a change, so that it takes effect here at once; other processes learn of it within `OWN_PROVIDERS_KNOWN_MS`. */
  forget: (organizationId: string) => void;
}

/**
 * Caches what was read for an organization for a few seconds, including that there was nothing: an answer costs no
 * extra statement. Concurrent callers share one read. A failed read is not cached.
 */
export function knownForAWhile<T>(read: (organizationId: string) => Promise<T>): Known<T> {
  const known = new Map<string, { value: Promise<T>; until: number }>();
  const forget = (organizationId: string) => void known.delete(organizationId);
  return {
    forget,
    of: (organizationId) => {
      const found = known.get(organizationId);
      if (found && performance.now() < found.until) return found.value;
      const entry = { value: read(organizationId), until: performance.now() + OWN_PROVIDERS_KNOWN_MS };
      entry.value.catch(() => {
        if (known.get(organizationId) === entry) forget(organizationId);
      });
      forget(organizationId);
      known.set(organizationId, entry);
      for (const [oldest] of known) {
        if (known.size <= ORGANIZATIONS_MAX) break;
        forget(oldest);
      }
      return entry.value;
    },
  };
}
