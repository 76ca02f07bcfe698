import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** This far from the end still counts as being there. */
const TOLERANCE_PX = 48;

/**
 * Keeps a growing list at its end while the reader is there, and leaves it alone once they have scrolled up. `fromEnd`:
 * they begin there.
 */
export function useStickToEnd(
  content: readonly { key: string; state: string; role: string }[],
  fromEnd: boolean,
) {
  const scroller = useRef<HTMLDivElement>(null);
  const sticking = useRef(fromEnd);
  const [atEnd, setAtEnd] = useState(true);

  const goToEnd = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    sticking.current = true;
    element.scrollTop = element.scrollHeight;
  }, []);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onScroll = () => {
      sticking.current = element.scrollHeight - element.scrollTop - element.clientHeight < TOLERANCE_PX;
      setAtEnd(sticking.current);
    };
    const keep = () => sticking.current && goToEnd();
    const resizing = new ResizeObserver(keep);
    resizing.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      resizing.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [goToEnd]);

  // Whoever sends a message wants to see it.
  const last = content.at(-1);
  const lastSent = last?.role === 'user' && last.state === 'pending' ? last.key : undefined;
  useLayoutEffect(() => {
    if (lastSent !== undefined) goToEnd();
  }, [lastSent, goToEnd]);

  useLayoutEffect(() => {
    if (sticking.current) goToEnd();
  });

  return { scroller, atEnd, goToEnd };
}
