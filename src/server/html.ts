/** Escapes text for a page: nothing a person or a program wrote becomes markup. */
export function text(value: string | number | null | undefined): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return String(value ?? '').replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A value inside a `script` element: it can end neither the element nor a line. */
export function scriptJson(value: unknown): string {
  const code = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, code);
}

/** The number of decimal digits of a currency. */
export function digitsOf(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/** `1234` in `eur` as `€12.34`. */
export function money(amount: number | null, currency: string | null, locale = 'en'): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: currency ?? 'usd' });
  return format.format((amount ?? 0) / 10 ** digitsOf(currency ?? 'usd'));
}
