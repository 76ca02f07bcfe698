import { Username } from '../../../contract/user.ts';

const LONGEST = 30;
const MARKS = /\p{Mark}/gu;

/** A username derived from a name; empty if the name doesn't yield one. */
export function suggestUsername(name: string): string {
  const letters = name.normalize('NFKD').replace(MARKS, '').toLowerCase();
  const username = letters
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, LONGEST)
    .replace(/-$/, '');
  return Username.safeParse(username).success ? username : '';
}
