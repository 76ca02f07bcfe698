/** Joiners, fillers, marks of direction. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** A text without what is drawn as nothing: nobody sees it, so nobody types it. */
export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, '');
}
