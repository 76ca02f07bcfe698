/** What is drawn as nothing: nobody sees it, so nobody types it. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** True when a name has been typed as it is seen, however its letters are put together and its spaces are kept. */
export function isTypedAs(typed: string, name: string): boolean {
  return asSeen(typed) === asSeen(name);
}

function asSeen(text: string): string {
  return text.normalize('NFC').replace(UNSEEN, '').trim().split(/\s+/).join(' ');
}
