import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { whenOnline } from './when-online.ts';

/**
 * A component loaded when first shown; without a network, as soon as it is back: what surrounds it, and any text being
 * written there, isn't replaced by an error.
 */
export function later<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await whenOnline(load) }));
}

/** The same for an optional component: if it can't be loaded, the other one is shown. */
export function lazily<P extends object>(
  load: () => Promise<ComponentType<P>>,
  instead: ComponentType<P> = Nothing,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await whenOnline(load).catch(() => instead) }));
}

function Nothing() {
  return null;
}
