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

  // What comes above leaves the reader where they are. At the very top, browsers do not see to that themselves.
  const top = useRef({ key: content[0]?.key, height: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const { key, height } = top.current;
    const isAbove = key !== content[0]?.key && content.some((each) => each.key === key);
    if (isAbove && element.scrollTop === 0) element.scrollTop = element.scrollHeight - height;
    top.current = { key: content[0]?.key, height: element.scrollHeight };
  });

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
