import { withoutUnseen } from './unseen.ts';

/** True if a name was typed as it appears, regardless of Unicode composition and spacing. */
export function isTypedAs(typed: string, name: string): boolean {
  return asSeen(typed) === asSeen(name);
}

function asSeen(text: string): string {
  return withoutUnseen(text.normalize('NFC')).trim().split(/\s+/).join(' ');
}
