import { expect, test } from 'vitest';
import { isWanted } from './wanted-pages.ts';

test.each([
  ['/docs/a', ['/docs/*'], [], true],
  ['/blog/a', ['/docs/*'], [], false],
  ['/docs/old/a', ['/docs/*'], ['*/old/*'], false],
  ['/a', [], [], true],
  ['/a', [], ['/a'], false],
  ['/ab', [], ['/a'], true],
  ['/docs', ['/docs*docs'], [], false],
  ['/list?page=2', [], ['*page=*'], false],
])('%s with %j and without %j', (path, include, exclude, wanted) => {
  expect(isWanted(`https://example.com${path}`, include, exclude)).toBe(wanted);
});
