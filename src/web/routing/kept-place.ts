import type { AnyRouter } from '@tanstack/react-router';
import { getElementScrollRestorationEntry } from '@tanstack/router-core';

const LOOKS_MS = 5000;
const OWN_MOVES = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/**
 * Restores the scroll position after going back or reloading, even if parts of the page appear after the first render:
 * the router tries only once; this keeps trying as the page grows, until the position is reached or the person scrolls.
 */
export function keepPlace(router: AnyRouter): void {
  let stop: (() => void) | undefined;
  let left: Left | undefined;
  router.subscribe('onBeforeLoad', ({ fromLocation }) => {
    stop?.();
    left = fromLocation && leave(router, fromLocation.state.__TSR_key, left);
  });
  router.subscribe('onRendered', () => {
    left = undefined;
    const top = getElementScrollRestorationEntry(router, { getElement: () => window })?.scrollY ?? 0;
    if (top > 0) stop = followTo(top);
  });
}

/** The page being left, and its scroll position. */
interface Left {
  key: string | undefined;
  top: number;
}

/**
 * A person who goes elsewhere, or back, before the next page is rendered leaves the same page again: by then a
 * placeholder has replaced it, whose scroll position, just recorded by the router, is not the right one.
 */
function leave(router: AnyRouter, key: string | undefined, left: Left | undefined): Left {
  const noted = getElementScrollRestorationEntry(router, {
    getElement: () => window,
    getKey: () => key ?? '',
  });
  if (!left || left.key !== key) return { key, top: noted?.scrollY ?? 0 };
  if (noted) noted.scrollY = left.top;
  return left;
}

function followTo(top: number): () => void {
  const end = () => {
    growth.disconnect();
    clearTimeout(timer);
    for (const move of OWN_MOVES) removeEventListener(move, end);
  };
  const growth = new ResizeObserver(() => {
    scrollTo({ top });
    if (scrollY >= top - 1) end();
  });
  const timer = setTimeout(end, LOOKS_MS);
  for (const move of OWN_MOVES) addEventListener(move, end, { passive: true });
  growth.observe(document.body);
  return end;
}
