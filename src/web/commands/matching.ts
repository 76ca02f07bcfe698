import type { Command, CommandGroup } from '../ui/command-box.tsx';

/** The most results shown per group. */
const SHOWN_MAX = 6;

/** Every word of the query starts a word of the command; titles that start with the query come first. */
export function matching(commands: readonly Command[], query: string): Command[] {
  const asked = plain(query).trim();
  const words = asked.split(/\s+/);
  const found = commands.filter(({ title, detail = '' }) => {
    const text = ` ${plain(`${title} ${detail}`)}`;
    return words.every((word) => text.includes(` ${word}`));
  });
  const rank = ({ title }: Command) => (plain(title).startsWith(asked) ? 0 : 1);
  return found.toSorted((a, b) => rank(a) - rank(b));
}

/** The non-empty groups, each truncated. */
export function shownOf(groups: readonly CommandGroup[]): CommandGroup[] {
  return groups
    .filter(({ commands }) => commands.length > 0)
    .map(({ title, commands }) => ({ title, commands: commands.slice(0, SHOWN_MAX) }));
}

/** Ignores case and accents; words are separated by spaces. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
}
