import { load } from 'cheerio/slim';

/** As given by a page, unchecked; nothing here is certain to be what its name says. */
export interface FoundProduct {
  name?: string | undefined;
  description?: string | undefined;
  price?: string | undefined;
  currency?: string | undefined;
  url?: string | undefined;
  image?: string | undefined;
}

/** Occur inside a word or before a full stop; other tags separate the text on either side. */
const withinText = /<\/?(?:a|abbr|b|em|i|mark|s|small|span|strong|sub|sup|u)\b[^<>]*>/gi;

/** Text without tags and entities, on one line; null if there is none. */
export function plain(text: string | undefined, maxCharacters: number): string | null {
  const given = (text ?? '').slice(0, 20_000);
  const told = /[<&]/.test(given)
    ? load(given.replace(withinText, '').replace(/<[^<>]*>/g, ' '), { xml: { xmlMode: false } }).text()
    : given;
  const line = told.replace(/\s+/g, ' ').trim();
  if (line.length <= maxCharacters) return line === '' ? null : line;
  return `${line
    .slice(0, maxCharacters - 1)
    .trimEnd()
    .toWellFormed()}…`;
}

/** `€ 1.299,00` as `1.299,00`; null if it contains no number. */
export function priceOf(text: string | undefined): string | null {
  return (
    /\d[\d.,'’]*/
      .exec((text ?? '').slice(0, 100).replace(/(\d)\s+(?=\d{3}(\D|$))/g, '$1'))?.[0]
      .replace(/(?<![.,'’])[.,'’]+$/, '') ?? null
  );
}

export function currencyOf(text: string | undefined): string | null {
  return /^[a-z]{3}$/i.exec(text?.trim() ?? '')?.[0].toUpperCase() ?? null;
}
