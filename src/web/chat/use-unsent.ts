import { useEffect, useRef } from 'react';
import { keepUnsent, readUnsent } from './drafts.ts';
import type { ConversationAction, ConversationState } from './conversation-state.ts';
import { readList } from './read-list.ts';
import type { Sending, ShownMessage } from './types.ts';

/** An undelivered message, and the stored one after which it was written. */
export interface Unsent extends Sending {
  after: string | null;
}

/**
 * Messages not known to have arrived survive a page reload, separately for each conversation. They return once the
 * conversation's contents are known. When a conversation begins, they move to its own key.
 */
export function useUnsent(
  key: string | undefined,
  { messages, loading }: ConversationState,
  dispatch: (action: ConversationAction) => void,
): void {
  const kept = useRef<string>(undefined);
  useEffect(() => {
    if (key === undefined || loading !== 'ready') return;
    const before = kept.current;
    kept.current = key;
    if (before === undefined) {
      const unsent = readList<Unsent>(readUnsent(key), 'text');
      if (unsent.length > 0) return dispatch({ type: 'unsent-before', messages: unsent });
    } else if (before !== key) keepUnsent(before, '');
    const unsent = messages.flatMap((message, place) => unsentAt(message, messages.slice(0, place)));
    keepUnsent(key, unsent.length > 0 ? JSON.stringify(unsent) : '');
  }, [key, messages, loading, dispatch]);
}

function unsentAt({ id, key, text, attachments, toAll }: ShownMessage, before: ShownMessage[]): Unsent[] {
  if (id !== null) return [];
  const after = before.findLast((message) => message.id !== null)?.id ?? null;
  return [{ key, text, attachments, after, ...(toAll && { toAll }) }];
}
