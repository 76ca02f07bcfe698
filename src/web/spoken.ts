import { newKey } from './chat/new-key.ts';
import { keepDraft, readDraft } from './drafts.ts';

/**
 * What somebody has spoken and the server does not have yet, by where it was spoken. It outlives the end of their session as long as the page is
 * not loaded anew, and a recording is among it from when it begins. A draft names it, so that it is gone when what its person typed is.
 */
const kept = new Map<string, Promise<Blob>>();

const placeOf = (place: string) => `spoken ${place}`;

export const readSpoken = (place: string): Promise<Blob> | undefined => kept.get(readDraft(placeOf(place)));

/** In place of what was spoken there before. Undefined: nothing is kept there any longer. */
export function keepSpoken(place: string, recording: Promise<Blob> | undefined): void {
  kept.delete(readDraft(placeOf(place)));
  const id = recording ? newKey() : '';
  if (recording) kept.set(id, recording);
  keepDraft(placeOf(place), id);
}
