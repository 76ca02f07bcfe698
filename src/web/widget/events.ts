import type { Speaker } from './protocol.ts';

/** What a site can hear of, and what it is told. */
interface WidgetEvents {
  ready: undefined;
  open: undefined;
  close: undefined;
  message: { role: Speaker; text: string };
  /** How many answers have come while the panel was closed. */
  unread: number;
}

export type Listener<E extends keyof WidgetEvents> = (detail: WidgetEvents[E]) => void;

/** Nothing, of an event of which there is nothing to say. */
type Detail<D> = undefined extends D ? [] : [detail: D];

export interface Emitter {
  /** Calls the listener at each event of that name, until the returned function is called. */
  on: <E extends keyof WidgetEvents>(event: E, listener: Listener<E>) => () => void;
  emit: <E extends keyof WidgetEvents>(event: E, ...detail: Detail<WidgetEvents[E]>) => void;
}

/** A listener that throws is the site's affair: it is reported as any error of the page and keeps no other from hearing. */
export function createEmitter(): Emitter {
  const all = new Set<readonly [string, Listener<never>]>();
  return {
    on(event, listener) {
      const entry = [event, listener as Listener<never>] as const;
      all.add(entry);
      return () => void all.delete(entry);
    },
    emit(event, detail?: unknown) {
      for (const [name, listener] of all) if (name === event) queueMicrotask(() => listener(detail as never));
    },
  };
}
