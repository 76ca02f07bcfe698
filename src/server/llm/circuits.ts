/** Failing accounts that are remembered at most; the one that failed longest ago is forgotten first. */
const ACCOUNTS_MAX = 1000;

interface CircuitSettings {
  /** So many failures in a row, and an account is left alone ... */
  failuresMax: number;
  /** ... for so long; then one request tries whether it is well again. */
  restMs: number;
}

/** Whether one account at a provider is asked at all, by how it has done lately. */
export interface Circuit {
  /** False while it rests. After that true for one caller, and for the others when that one has said how it went. */
  mayTry: () => boolean;
  succeeded: () => void;
  failed: () => void;
}

/** Gives the circuit of an account. */
interface Circuits {
  (account: string): Circuit;
  /** The accounts that are left alone now. */
  resting: () => string[];
}

interface Record {
  failures: number;
  restsUntil: number;
}

/**
 * The circuits of a process. Only accounts that are failing are remembered, so that there is nothing to clear away of
 * those that do well or are gone.
 */
export function createCircuits({ failuresMax, restMs }: CircuitSettings): Circuits {
  const failing = new Map<string, Record>();
  const circuitOf = (account: string): Circuit => ({
    mayTry: () => {
      const record = failing.get(account);
      if (!record || record.failures < failuresMax) return true;
      if (performance.now() < record.restsUntil) return false;
      // Whoever comes while the trial is under way finds it resting; a trial that is never heard of ends like this too.
      record.restsUntil = performance.now() + restMs;
      return true;
    },
    succeeded: () => void failing.delete(account),
    failed: () => {
      const failures = (failing.get(account)?.failures ?? 0) + 1;
      failing.delete(account);
      failing.set(account, { failures, restsUntil: performance.now() + restMs });
      for (const [oldest] of failing) {
        if (failing.size <= ACCOUNTS_MAX) break;
        failing.delete(oldest);
      }
    },
  });
  return Object.assign(circuitOf, {
    resting: () =>
      [...failing].flatMap(([account, { failures, restsUntil }]) =>
        failures >= failuresMax && performance.now() < restsUntil ? [account] : [],
      ),
  });
}
