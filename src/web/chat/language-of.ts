const scripts: readonly (readonly [RegExp, string])[] = [
  [/[\u3040-\u30ff]/g, 'ja'],
  [/[\uac00-\ud7af]/g, 'ko'],
  [/[\u4e00-\u9fff]/g, 'zh'],
  [/[\u0400-\u04ff]/g, 'ru'],
  [/[\u0600-\u06ff]/g, 'ar'],
  [/[\u0590-\u05ff]/g, 'he'],
  [/[\u0370-\u03ff]/g, 'el'],
  [/[\u0900-\u097f]/g, 'hi'],
  [/[\u0e00-\u0e7f]/g, 'th'],
];

/** Short words that are frequent in one language and rare in the others. */
const words: Readonly<Record<string, string>> = {
  en: 'the and of to is that it you for with this are',
  de: 'der die und das ist nicht ein ich sie mit auf für',
  fr: 'le les et est une des que vous pour dans pas sur',
  es: 'el los que una es por con para las del como más',
  it: 'il che di è una per sono con della gli non più',
  pt: 'o que não uma para com os você são mais do em',
  nl: 'de het een van en niet dat zijn voor met op je',
  pl: 'nie się jest na że do to jak ale czy co',
  tr: 've bir bu için ile değil çok daha gibi ne',
  sv: 'och att det som är en inte för på med jag',
};

const SAMPLE_CHARACTERS = 2000;

/** The most likely language of a text, for choosing a voice; English if nothing indicates another. */
export function languageOf(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARACTERS).toLowerCase();
  for (const [script, language] of scripts) {
    const count = sample.match(script)?.length ?? 0;
    if (count > 4 && count * 4 > sample.replaceAll(/\s/g, '').length) return language;
  }
  const said = sample.split(/[^\p{L}]+/u);
  const scores = Object.entries(words).map(([language, list]) => {
    const known = new Set(list.split(' '));
    return { language, count: said.filter((word) => known.has(word)).length };
  });
  const best = scores.toSorted((one, other) => other.count - one.count)[0];
  return best && best.count > 0 ? best.language : 'en';
}
