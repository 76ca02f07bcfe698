import { language as ours } from '../../messages/language.ts';

/** The languages agents most often use; a different one already set remains selectable. */
const common =
  'ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sr sv sw ta th tr uk ur vi zh';

const names = new Intl.DisplayNames([ours], { type: 'language' });

export function languageChoices(chosen: string) {
  const codes = new Set(common.split(' '));
  if (chosen !== '') codes.add(chosen);
  return [...codes]
    .map((value) => ({ value, label: nameOf(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, ours));
}

/** An invalid language code is shown as is. */
function nameOf(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
