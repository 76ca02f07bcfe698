import { useRef } from 'react';

/**
 * An action that doesn't start again while in progress, not even on a second click before its button is rendered as
 * disabled. It reports its failure itself.
 */
export function useOnce<A extends unknown[]>(act: (...given: A) => Promise<unknown>): (...given: A) => void {
  const isUnderWay = useRef(false);
  return (...given) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    void act(...given)
      .catch(() => undefined)
      .finally(() => {
        isUnderWay.current = false;
      });
  };
}
