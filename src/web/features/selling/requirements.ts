import { t } from '../../messages/t.ts';

/** What the payment provider asks for, by name prefix: it has hundreds of names, one per field. */
const subjects = [
  [/^external_account/, 'selling.requirement.bankAccount'],
  [/^tos_acceptance/, 'selling.requirement.terms'],
  [/^(business|company)/, 'selling.requirement.business'],
  [/^(individual|person|representative|owners|directors|executives)/, 'selling.requirement.people'],
  [/./, 'selling.requirement.other'],
] as const;

/** The same in words, each once. */
export function requirementsInWords(names: readonly string[]): string {
  const words = names.flatMap((name) => {
    const subject = subjects.find(([beginning]) => beginning.test(name));
    return subject ? [t(subject[1])] : [];
  });
  return new Intl.ListFormat(undefined).format(new Set(words));
}
