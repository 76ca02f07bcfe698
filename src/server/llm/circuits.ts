/** The most failing accounts to remember; the one that failed longest ago is evicted first. */
const ACCOUNTS_MAX = 1000;

interface CircuitSettings {
  /** After this many failures in a row, an account is left alone ... */
  failuresMax: number;
  /** ... for this long; then one request probes whether it has recovered. */
  restMs: number;
}

/** Whether an account at a provider is asked at all, depending on its recent failures. */
export interface Circuit {
  /** False while it is open. Then true for one caller, and for the others once that one has reported the outcome. */
  mayTry: () => boolean;
  succeeded: () => void;
  failed: () => void;
}

/** Returns the circuit of an account. */
interface Circuits {
  (account: string): Circuit;
  /** The accounts currently left alone. */
  resting: () => string[];
}

interface Record {
  failures: number;
  restsUntil: number;
}

/**
 * The circuits of a process. Only failing accounts are remembered, so there is nothing to clean up for healthy or
 * removed ones.
 */
export function createCircuits({ failuresMax, restMs }: CircuitSettings): Circuits {
  const failing = new Map<string, Record>();
  const circuitOf = (account: string): Circuit => ({
    mayTry: () => {
      const record = failing.get(account);
      if (!record || record.failures < failuresMax) return true;
      if (performance.now() < record.restsUntil) return false;
      // Other callers find it open during the probe; this also ends a probe that never reports back.
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
