import { withoutUnseen } from './unseen.ts';

/** True when a name has been typed as it is seen, however its letters are put together and its spaces are kept. */
export function isTypedAs(typed: string, name: string): boolean {
  return asSeen(typed) === asSeen(name);
}

function asSeen(text: string): string {
  return withoutUnseen(text.normalize('NFC')).trim().split(/\s+/).join(' ');
}
