/** Joiners, fillers and direction marks. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** A text without invisible characters: nobody sees them, so nobody types them. */
export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, '');
}
