import { useState } from 'react';
import { tabKeeper } from '../storage.ts';

/** What has been typed and not sent: it outlives a reload of the page, for each conversation on its own. */
export function useDraft(key: string | undefined): [string, (text: string) => void] {
  const place = key && `parley.draft.${key}`;
  const [text, setText] = useState(() => (place && tabKeeper.get(place)) || '');
  const change = (next: string) => {
    setText(next);
    if (place && next === '') tabKeeper.remove(place);
    else if (place) tabKeeper.set(place, next);
  };
  return [text, change];
}
