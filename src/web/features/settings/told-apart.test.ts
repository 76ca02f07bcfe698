import { expect, test } from 'vitest';
import { toldApart } from './told-apart.ts';

test('only those with the same name show the end of their id', () => {
  const all = [
    { id: 'org_01m8gc3wxkf218yny70q0h6yb9', name: 'Acme' },
    { id: 'org_01m8gc3wxkf218yny70q0h6yc0', name: 'Beta' },
    { id: 'org_01m8gc3wxkf218yny70q0h7zzz', name: 'Acme' },
  ];
  expect(toldApart(all).map(({ label }) => label)).toEqual(['Acme (…0h6yb9)', 'Beta', 'Acme (…0h7zzz)']);
});
