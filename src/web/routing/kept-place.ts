import type { AnyRouter } from '@tanstack/react-router';
import { getElementScrollRestorationEntry } from '@tanstack/router-core';

const LOOKS_MS = 5000;
const OWN_MOVES = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/**
 * Going back and reading a page anew find the place one was at although parts of the page come after its first drawing: the router
 * looks for the place once, and here it is looked for as the page grows, until it is found or the person moves by themselves.
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

/** The page that is being left, and the place on it. */
interface Left {
  key: string | undefined;
  top: number;
}

/**
 * Who goes somewhere else, or back, before the page that they went to is drawn leaves the same page once more: by then something that
 * waits stands in its place, and where that is scrolled to, which the router has just noted, is not the place.
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
