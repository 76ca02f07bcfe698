import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { whenOnline } from './when-online.ts';

/**
 * A part that is loaded when it is first shown, without a network as soon as it is back: what stands around it, and what is being written
 * there, does not make room for an error.
 */
export function later<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await whenOnline(load) }));
}
