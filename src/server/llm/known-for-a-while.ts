import { OWN_PROVIDERS_KNOWN_MS } from '../../contract/limits.ts';

/** Organizations that are remembered at most; the one that was read longest ago is forgotten first. */
const ORGANIZATIONS_MAX = 5000;

export interface Known<T> {
  of: (organizationId: string) => Promise<T>;
  /** After a change, so that it counts at once here; other processes learn of it within `OWN_PROVIDERS_KNOWN_MS`. */
  forget: (organizationId: string) => void;
}

/**
 * Remembers what was read of an organization for a few seconds, also that there was nothing: an answer costs no statement
 * for it while others are asked for. Many who ask at once wait for one reading. A reading that fails is not remembered.
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
