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
  router.subscribe('onBeforeLoad', () => stop?.());
  router.subscribe('onRendered', () => {
    const top = getElementScrollRestorationEntry(router, { getElement: () => window })?.scrollY ?? 0;
    if (top > 0) stop = followTo(top);
  });
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
