import { useState } from 'react';
import { tabKeeper } from '../storage.ts';

/** Where in the tab's storage it is kept. */
export const draftPlace = (key: string) => `parley.draft.${key}`;

/** What has been typed and not sent: it outlives a reload of the page, for each conversation on its own. */
export function useDraft(key: string | undefined): [string, (text: string) => void] {
  const place = key && draftPlace(key);
  const [text, setText] = useState(() => (place && tabKeeper.get(place)) || '');
  const change = (next: string) => {
    setText(next);
    if (place && next === '') tabKeeper.remove(place);
    else if (place) tabKeeper.set(place, next);
  };
  return [text, change];
}
