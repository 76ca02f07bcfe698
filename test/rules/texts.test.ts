import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { textsIn } from './texts.ts';

/** All interface texts are in the message catalog, so that a language can be added without touching a component. */

test('no component contains a hard-coded text', async () => {
  const files = (await readdir('src/web', { recursive: true })).filter(
    (file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'),
  );
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) => {
    const code = readFileSync(path.join('src/web', file), 'utf8');
    return textsIn(code).map((text) => `${file}:${text}`);
  });
  expect(found).toEqual([]);
});

test.each([
  ['between tags', '<p>Hello</p>'],
  ['as an expression', "<p>{'Hello'}</p>"],
  ['as a template', '<p>{`Hello ${name}`}</p>'],
  ['in a branch', "<p>{known ? name : 'Hello'}</p>"],
  ['behind a condition', "<>{known && 'Hello'}</>"],
  ['in place of nothing', "<p>{name ?? 'Hello'}</p>"],
  ['in an attribute', '<img alt="Hello" />'],
  ['in an attribute as a template', '<a aria-label={`Hello ${name}`} />'],
  ['in an attribute in a branch', "<Notice title={known ? t('x') : 'Hello'} />"],
])('a text is found %s', (_where, code) => {
  expect(textsIn(`const x = ${code};`)).toEqual(['1: Hello']);
});

test.each([
  ['a text of the catalogue', "<p>{t('ui.save')}</p>"],
  ['a key of the catalogue', '<Button label="ui.save" />'],
  ['an example of an address', '<input placeholder="https://example.com" />'],
  ['a sign', '<p>{a} · {b}{" "}</p>'],
  ['an empty alternative', '<img alt="" />'],
  ['what nobody reads', '<a className="link" href="/" target="_blank" />'],
])('%s does not count as a text', (_what, code) => {
  expect(textsIn(`const x = ${code};`)).toEqual([]);
});
