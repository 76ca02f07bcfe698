/** How people say yes and no in the languages that agents are asked in most. */
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

/** A person's word on what they were asked to agree to; undefined for everything that is not plainly one or the other. */
export function wordOf(text: string): 'allow' | 'deny' | undefined {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/[.!。！]{1,3}$/, '');
  if (yes.includes(word)) return 'allow';
  return no.includes(word) ? 'deny' : undefined;
}
