import { useRef } from 'react';
import { useParts } from './conversation-context.ts';

/** What was said before all that is shown. */
export interface Unread {
  /** Null: nothing. */
  earlier: string | null;
  /** Answers false when it could not be read. */
  showEarlier: () => Promise<boolean>;
}

/** Asked for twice, a page is read and shown once. */
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
