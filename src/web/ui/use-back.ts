import { useEffect, useRef } from 'react';

interface Place {
  /** Of the page, and of what has a name over it. */
  __TSR_key?: string;
  /** Its number among those that were come by. */
  __TSR_index?: number;
  /** Of what is open there without one, the topmost last. */
  steps?: readonly number[];
}

const placeHere = () => (history.state ?? {}) as Place;

/**
 * What is open over a page has a step of the browser's history: Back, and the gesture for it, closes it and nothing else. Closed in another
 * way, the step is taken back, unless what closed it has led elsewhere: so nothing is taken back when the page goes with it, but where it
 * `isGoneWhenClosed`. Who goes back further leaves what it is open over.
 */
export function useBack(isOpen: boolean, onClose: () => void, isGoneWhenClosed = false): void {
  const close = useRef(onClose);
  const isLeaving = useRef(false);
  useEffect(() => {
    close.current = onClose;
  });
  // Before the next one ends.
  useEffect(() => {
    isLeaving.current = false;
    return () => void (isLeaving.current = !isGoneWhenClosed);
  }, [isGoneWhenClosed]);
  useEffect(() => {
    if (!isOpen) return;
    const step = performance.now();
    const { steps = [], __TSR_index = 0, ...under } = placeHere();
    history.pushState({ ...under, __TSR_index: __TSR_index + 1, steps: [...steps, step] }, '');
    const onPop = () => {
      const { steps = [], __TSR_key } = placeHere();
      if (!steps.includes(step) && __TSR_key === under.__TSR_key) close.current();
    };
    addEventListener('popstate', onPop);
    return () => {
      removeEventListener('popstate', onPop);
      if (isLeaving.current) return;
      setTimeout(() => placeHere().steps?.at(-1) === step && history.back());
    };
  }, [isOpen]);
}
