import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { whenOnline } from './when-online.ts';

/**
 * A part that is loaded when it is first shown, without a network as soon as it is back: what stands around it, and what is being written
 * there, does not make room for an error.
 */
export function later<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await whenOnline(load) }));
}

/** The same for a part without which the page goes on: where it cannot be loaded, the other one stands there. */
export function lazily<P extends object>(
  load: () => Promise<ComponentType<P>>,
  instead: ComponentType<P> = Nothing,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await whenOnline(load).catch(() => instead) }));
}

function Nothing() {
  return null;
}
