import type { Speaker } from './protocol.ts';

/** The events a site can listen to, with their details. */
interface WidgetEvents {
  ready: undefined;
  open: undefined;
  close: undefined;
  message: { role: Speaker; text: string };
  /** The number of answers that came while the panel was closed. */
  unread: number;
}

export type Listener<E extends keyof WidgetEvents> = (detail: WidgetEvents[E]) => void;

/** Empty for an event without details. */
type Detail<D> = undefined extends D ? [] : [detail: D];

export interface Emitter {
  /** Calls the listener on each event of that name until the returned function is called. */
  on: <E extends keyof WidgetEvents>(event: E, listener: Listener<E>) => () => void;
  emit: <E extends keyof WidgetEvents>(event: E, ...detail: Detail<WidgetEvents[E]>) => void;
}

/** A throwing listener is the site's problem: it is reported like any error on the page, and the others are still called. */
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
