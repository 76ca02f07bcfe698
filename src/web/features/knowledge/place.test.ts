import { expect, test } from 'vitest';
import { placeOf } from './place.ts';

const source = 'src_01jd0000000000000000000000';

test('a passage’s position is read from an address', () => {
  expect(placeOf({ source, at: 12, length: 5, view: 'sources' })).toEqual({
    source,
    at: 12,
    length: 5,
    view: 'sources',
  });
});

test('invalid parts of an address are ignored', () => {
  expect(placeOf({ source: 'agt_1', at: 1, length: 2, view: 'nowhere', other: 1 })).toEqual({});
  expect(placeOf({ source, at: -1, length: 5 })).toEqual({ source });
  expect(placeOf({ source, at: 1.5, length: 5 })).toEqual({ source });
});
