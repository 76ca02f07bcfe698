import { newKey } from './new-key.ts';
import { keepDraft, readDraft } from './drafts.ts';

/** Enough for speech, and little enough for a tab to keep some minutes of it. */
export const SPEECH_BITS_PER_SECOND = 48_000;

/**
 * What somebody has spoken and the server does not have yet, by where it was spoken. It outlives the end of their session, and a recording is
 * among it from when it begins; once it is whole, it outlives the page too, where the tab has room for it. A draft names it, so that it is
 * gone when what its person typed is.
 */
const kept = new Map<string, Promise<Blob>>();

const placeOf = (place: string) => `spoken ${place}`;

/** By which name it is kept, and the address that holds all of it, once it is whole. */
const draftOf = (place: string) => readDraft(placeOf(place)).split('\n');

export function readSpoken(place: string): Promise<Blob> | undefined {
  const [id = '', address] = draftOf(place);
  if (address && !kept.has(id)) kept.set(id, Promise.resolve(blobOf(address)));
  return kept.get(id);
}

/** In place of what was spoken there before. Undefined: nothing is kept there any longer. */
export function keepSpoken(place: string, recording: Promise<Blob> | undefined): void {
  kept.delete(draftOf(place)[0] ?? '');
  const id = recording ? newKey() : '';
  keepDraft(placeOf(place), id);
  if (!recording) return;
  kept.set(id, recording);
  void recording.then(addressOf).then((address) => {
    if (draftOf(place)[0] === id) keepDraft(placeOf(place), `${id}\n${address}`);
  });
}

/** Once the server has it. What was spoken there since is another. */
export async function forgetSpoken(place: string, recording: Blob): Promise<void> {
  if ((await readSpoken(place)) === recording) keepSpoken(place, undefined);
}

/** With all that it holds. */
function addressOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error as DOMException));
    reader.readAsDataURL(blob);
  });
}

function blobOf(address: string): Blob {
  const at = address.lastIndexOf(';base64,');
  const bytes = Uint8Array.from(atob(address.slice(at + ';base64,'.length)), (each) => each.charCodeAt(0));
  return new Blob([bytes], { type: address.slice('data:'.length, at) });
}
