import { useEffect, useRef, useState } from 'react';
import { keepDraft, readDraft } from './drafts.ts';

/**
 * What has been typed and not sent: it outlives a reload of the page, for each conversation on its own. A conversation that is
 * begun takes it along to its own key.
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
