const PATIENCE_MS = 5000;

/**
 * Runs `work` while no other tab or frame of this site runs work of that name. It runs at once where the browser has no
 * locks, as on a page without https, and after five seconds beside work that takes longer. Errors: those of `work`.
 */
export async function inOneTab<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (!('locks' in navigator)) return work();
  let isBegun = false;
  const begin = () => {
    isBegun = true;
    return work();
  };
  try {
    return await navigator.locks.request(name, { signal: AbortSignal.timeout(PATIENCE_MS) }, begin);
  } catch (error) {
    if (isBegun) throw error;
    return work();
  }
}
