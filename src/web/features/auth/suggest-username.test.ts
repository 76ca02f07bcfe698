import { expect, test } from 'vitest';
import { Username } from '../../../contract/user.ts';
import { suggestUsername } from './suggest-username.ts';

test('a name yields a valid username', () => {
  expect(suggestUsername('Grace Hopper')).toBe('grace-hopper');
  expect(suggestUsername('  José Ángel Muñoz-Ñandú ')).toBe('jose-angel-munoz-nandu');
  expect(suggestUsername('007 James')).toBe('james');
  const long = suggestUsername('Maximiliane '.repeat(9));
  expect(Username.safeParse(long).success).toBe(true);
});

test('a name that yields no username leaves the field empty', () => {
  for (const name of ['', 'Bo', '山田 太郎', '123', '---']) expect(suggestUsername(name)).toBe('');
});
