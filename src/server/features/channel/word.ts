/** How people say yes and no in the languages agents are most often asked in. */
const yes = [
  'yes',
  'y',
  'ok',
  'okay',
  'ja',
  'oui',
  'sí',
  'si',
  'sim',
  'tak',
  'да',
  'はい',
  '是',
  '好',
  'نعم',
  'evet',
];
const no = ['no', 'n', 'nein', 'nee', 'non', 'não', 'nao', 'nie', 'нет', 'いいえ', '不', '否', 'لا', 'hayır'];

/** A person's decision on what they were asked to approve; undefined for anything that isn't clearly one or the other. */
export function wordOf(text: string): 'allow' | 'deny' | undefined {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/[.!。！]{1,3}$/, '');
  if (yes.includes(word)) return 'allow';
  return no.includes(word) ? 'deny' : undefined;
}
