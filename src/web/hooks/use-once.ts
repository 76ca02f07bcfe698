import { useRef } from 'react';

/**
 * An act that is not begun again while it is under way, not even by a second click that comes before the button of the first is drawn
 * as disabled. Its failure is told by itself.
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
