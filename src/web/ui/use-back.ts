import { useEffect, useRef } from 'react';

interface Place {
  /** The key of the page, and of named overlays on it. */
  __TSR_key?: string;
  /** Its index in the history. */
  __TSR_index?: number;
  /** The unnamed overlays open there, topmost last. */
  steps?: readonly number[];
}

const placeHere = () => (history.state ?? {}) as Place;

/**
 * An overlay on a page has its own history entry: Back, and the gesture for it, closes just that. When closed in
 * another way, the entry is removed, unless closing it led elsewhere: so nothing is removed if the page goes along with
 * it, except with `isGoneWhenClosed`. Going back further leaves the page it is open on.
 */
export function useBack(isOpen: boolean, onClose: () => void, isGoneWhenClosed = false): void {
  const close = useRef(onClose);
  const isLeaving = useRef(false);
  useEffect(() => {
    close.current = onClose;
  });
  // Before the next one's cleanup.
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
