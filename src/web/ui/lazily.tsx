import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { whenOnline } from './when-online.ts';

/**
 * A part that is loaded when it is first shown, without a network as soon as it is back. Where it cannot be loaded, the page goes on with
 * the other one.
 */
export function lazily<P extends object>(
  load: () => Promise<ComponentType<P>>,
  instead: ComponentType<P> = Nothing,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await whenOnline(load).catch(() => instead) }));
}

function Nothing() {
  return null;
}
