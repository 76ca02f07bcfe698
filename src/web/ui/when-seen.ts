import {
  IMAGE_MARGIN_PX,
  IMAGE_PRELOAD_RATIO,
  IMAGE_THRESHOLD,
  IMAGE_THROTTLE_MS,
} from '../../contract/limits.ts';

/** One observer for all waiting elements on the page. */
let observer: IntersectionObserver | undefined;
const waiting = new Map<Element, () => void>();
const near = new Set<Element>();
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Calls back once an element is about to be seen: at once near the top of the window, otherwise when it gets close.
 * Elements only passed during fast scrolling are skipped. Returns a function that stops waiting.
 */
export function whenSeen(element: Element, callBack: () => void): () => void {
  const { top, bottom } = element.getBoundingClientRect();
  // An element without layout has no position, which is reported as the top.
  const isLaidOut = element.getClientRects().length > 0;
  if (isLaidOut && bottom >= 0 && top < innerHeight * IMAGE_PRELOAD_RATIO) {
    callBack();
    return () => undefined;
  }
  observer ??= new IntersectionObserver(note, {
    rootMargin: `${IMAGE_MARGIN_PX}px`,
    threshold: IMAGE_THRESHOLD,
  });
  waiting.set(element, callBack);
  observer.observe(element);
  return () => forget(element);
}

function note(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) near.add(target);
    else near.delete(target);
  }
  timer ??= setTimeout(tellNear, IMAGE_THROTTLE_MS);
}

function tellNear(): void {
  timer = undefined;
  for (const element of near) {
    const callBack = waiting.get(element);
    forget(element);
    callBack?.();
  }
}

function forget(element: Element): void {
  waiting.delete(element);
  near.delete(element);
  observer?.unobserve(element);
}
