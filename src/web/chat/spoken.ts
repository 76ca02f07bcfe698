import { newKey } from './new-key.ts';
import { keepDraft, readDraft } from './drafts.ts';

/** Enough for speech, and small enough for a tab to keep some minutes of it. */
export const SPEECH_BITS_PER_SECOND = 48_000;

/**
 * Recordings the server doesn't have yet, by where they were made. They survive the end of the session, and include a
 * recording from its start; once complete, it also survives the page, if the tab has room for it. A draft refers to it,
 * so that it is removed along with what its person typed.
 */
const kept = new Map<string, Promise<Blob>>();

const placeOf = (place: string) => `spoken ${place}`;

/** The name it is stored under and, once it is complete, the address that holds all of it. */
const draftOf = (place: string) => readDraft(placeOf(place)).split('\n');

export function readSpoken(place: string): Promise<Blob> | undefined {
  const [id = '', address] = draftOf(place);
  if (address && !kept.has(id)) kept.set(id, Promise.resolve(blobOf(address)));
  return kept.get(id);
}

/** Replaces the previous recording there. Undefined: nothing is kept there any longer. */
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

/** Call once the server has it. A recording made there since is a different one. */
export async function forgetSpoken(place: string, recording: Blob): Promise<void> {
  if ((await readSpoken(place)) === recording) keepSpoken(place, undefined);
}

/** As a data URL with all its content. */
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
