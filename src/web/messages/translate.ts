export type Values = Readonly<Record<string, string | number>>;

/**
 * Looks up a catalog's texts and fills in their `{name}` placeholders. A key ending in `#` has the plural forms
 * `<key>one` and `<key>other`, chosen by the value `count`.
 */
export function translator<C extends Readonly<Record<string, string>>>(catalogue: C, language: string) {
  const plurals = new Intl.PluralRules(language);
  const lookUp = (key: string, values?: Values): string => {
    if (!key.endsWith('#')) return catalogue[key] ?? key;
    const form = plurals.select(Number(values?.['count'] ?? 0));
    return catalogue[key + form] ?? catalogue[`${key}other`] ?? key;
  };
  return (key: KeyOf<C>, values?: Values): string =>
    lookUp(key, values).replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values?.[name] ?? place));
}

/** The keys to look up: plural keys without the form's name. */
export type KeyOf<C> = {
  [K in keyof C & string]: K extends `${infer Stem}#${string}` ? `${Stem}#` : K;
}[keyof C & string];
