import { expect, test } from 'vitest';
import { ATTACHMENT_MAX_BYTES } from '../../contract/limits.ts';
import { objectionTo } from './attachable.ts';

const file = (name: string, size = 3) => new File([new Uint8Array(size)], name);

test('pictures and documents can be attached', () => {
  for (const name of [
    'a.png',
    'a.JPEG',
    'a.webp',
    'a.pdf',
    'a.docx',
    'a.csv',
    'a.b.json',
    'a.epub',
    'a.TSV',
    'a.jsonl',
  ])
    expect(objectionTo(file(name), 0)).toBeNull();
});

test('an unsuitable file is refused with a reason', () => {
  expect(objectionTo(file('a.exe'), 0)).toBe('a.exe is not a supported file type.');
  expect(objectionTo(file('png'), 0)).toContain('not a supported file type');
  expect(objectionTo(file('a.txt', 0), 0)).toBe('a.txt is empty.');
  expect(objectionTo(file('a.png', ATTACHMENT_MAX_BYTES + 1), 0)).toContain('is larger than 10 MB');
  expect(objectionTo(file('a.png'), 5)).toBe('a.png was not added. A message can have at most 5 files.');
});
