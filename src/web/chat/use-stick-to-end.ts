import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { ShownMessage } from './types.ts';

/** This close to the end still counts as being there. */
const TOLERANCE_PX = 48;

type Content = Pick<ShownMessage, 'key' | 'id' | 'state' | 'role'>;

/**
 * Keeps a growing list scrolled to its end while the reader is there, and leaves it alone once they have scrolled up.
 * `fromEnd`: they start there.
 */
export function useStickToEnd(content: readonly Content[], fromEnd: boolean) {
  const scroller = useRef<HTMLDivElement>(null);
  const sticking = useRef(fromEnd);
  const [atEnd, setAtEnd] = useState(true);

  const goToEnd = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    sticking.current = true;
    element.scrollTop = element.scrollHeight;
    setAtEnd(true);
  }, []);

  useKeeping({ scroller, sticking, goToEnd, setAtEnd });

  // A reader paging through versions further up wants to see those, not the end of what follows.
  const ids = useRef(new Map<string, string | null>());
  useLayoutEffect(() => {
    const isOther = ({ key, id }: Content) => id !== null && id !== (ids.current.get(key) ?? id);
    if (content.slice(0, -1).some(isOther)) sticking.current = false;
    ids.current = new Map(content.map(({ key, id }) => [key, id]));
  }, [content]);

  // Content added above leaves the reader where they are. At the very top, browsers don't do that themselves.
  const top = useRef({ key: content[0]?.key, height: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const { key, height } = top.current;
    const isAbove = key !== content[0]?.key && content.some((each) => each.key === key);
    if (isAbove && element.scrollTop === 0) element.scrollTop = element.scrollHeight - height;
    top.current = { key: content[0]?.key, height: element.scrollHeight };
  });

  // A person who sends a message wants to see it.
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

interface Keeping {
  scroller: RefObject<HTMLDivElement | null>;
  sticking: RefObject<boolean>;
  goToEnd: () => void;
  setAtEnd: (atEnd: boolean) => void;
}

/** Tracks the reader's position, and keeps them at the end if they are there, whatever grows or shrinks. */
function useKeeping({ scroller, sticking, goToEnd, setAtEnd }: Keeping): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      sticking.current = element.scrollHeight - element.scrollTop - element.clientHeight < TOLERANCE_PX;
      setAtEnd(sticking.current);
    };
    const resizing = new ResizeObserver(() => (sticking.current ? goToEnd() : look()));
    // Pictures, formulas and highlighted code grow after insertion.
    for (const each of [element, ...element.children]) resizing.observe(each);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      resizing.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [scroller, sticking, goToEnd, setAtEnd]);
}
