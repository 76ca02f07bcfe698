import { useEffect, useRef, useState } from 'react';
import { keepDraft, readDraft } from './drafts.ts';

/**
 * A draft survives a page reload, separately for each conversation. When a conversation begins, its draft moves to its
 * own key.
 */
export function useDraft(key: string | undefined): [string, (text: string) => void] {
  const [text, setText] = useState(() => (key === undefined ? '' : readDraft(key)));
  const kept = useRef(key);
  useEffect(() => {
    if (kept.current === key) return;
    if (kept.current !== undefined) keepDraft(kept.current, '');
    if (key !== undefined) keepDraft(key, text);
    kept.current = key;
  }, [key, text]);
  const change = (next: string) => {
    setText(next);
    if (key !== undefined) keepDraft(key, next);
  };
  return [text, change];
}
