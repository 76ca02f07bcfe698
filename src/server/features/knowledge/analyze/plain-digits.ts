/** For scripts with their own digits; the other nine follow each zero. */
const zeros = Array.from('٠۰०০੦૦୦௦౦೦൦๐໐༠၀០', (zero) => zero.charCodeAt(0));
const values = new Map(
  zeros.flatMap((zero) =>
    Array.from('0123456789', (digit, value) => [String.fromCharCode(zero + value), digit]),
  ),
);
const anyOfThem = new RegExp(`[${[...values.keys()].join('')}]`, 'g');

/** The same numbers in the digits used on keyboards and in part lists: people write either. */
export function withPlainDigits(text: string): string {
  return text.replace(anyOfThem, (digit) => values.get(digit) ?? digit);
}
