/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

interface Highlighted {
  text: string;
  isMatch: boolean;
}

/**
 * Splits a text into parts, marking those that contain a term. Terms are in the index's form, without their endings, so
 * a word that begins with one matches.
 */
export function highlight(text: string, terms: readonly string[]): Highlighted[] {
  if (terms.length === 0) return [{ text, isMatch: false }];
  const words = terms.map((term) => {
    const stem = escapeExpression(term).replace(/i$/, '[iy]');
    return UNSPACED.test(term) ? stem : String.raw`(?<![\p{L}\p{N}])${stem}[\p{L}\p{N}]*`;
  });
  return text
    .split(new RegExp(`(${words.join('|')})`, 'iu'))
    .map((part, index) => ({ text: part, isMatch: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}

function escapeExpression(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
