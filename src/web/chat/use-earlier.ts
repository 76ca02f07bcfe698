import { useRef } from 'react';
import { useParts } from './conversation-context.ts';

/** The messages before all those shown. */
export interface Unread {
  /** Null: none. */
  earlier: string | null;
  /** Resolves to false if they could not be loaded. */
  showEarlier: () => Promise<boolean>;
}

/** Concurrent requests load and show a page once. */
export function useEarlier(): Unread {
  const { chat, transport } = useParts();
  const { earlier, dispatch, leaving, failed } = chat;
  const isReading = useRef(false);
  const showEarlier = async () => {
    if (!earlier || isReading.current) return true;
    const { signal } = leaving.current;
    isReading.current = true;
    try {
      const page = await transport.load(earlier, signal);
      if (page && !signal.aborted) dispatch({ type: 'earlier', page });
      return true;
    } catch (error) {
      if (!signal.aborted) failed(error);
      return false;
    } finally {
      isReading.current = false;
    }
  };
  return { earlier, showEarlier };
}
