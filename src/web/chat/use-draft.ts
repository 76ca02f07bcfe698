import { useEffect, useRef, useState } from 'react';
import { tabKeeper } from '../storage.ts';

/** Where in the tab's storage it is kept. */
const draftPlace = (key: string) => `parley.draft.${key}`;

export const readDraft = (key: string) => tabKeeper.get(draftPlace(key)) ?? '';

export function keepDraft(key: string, text: string): void {
  if (text === '') tabKeeper.remove(draftPlace(key));
  else tabKeeper.set(draftPlace(key), text);
}

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
