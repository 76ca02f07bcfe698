import { expect, test } from 'vitest';
import { shapeOf } from './shape.ts';

const text = { type: 'string' };

test.each<[object | undefined, string]>([
  [undefined, 'any'],
  [{}, 'any'],
  [text, 'string'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ type: 'string', enum: ['red', 'blue'] }, '"red" | "blue"'],
  [{ const: 3 }, '3'],
  [{ type: 'array' }, 'any[]'],
  [{ type: 'array', items: text }, 'string[]'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, '("a" | "b")[]'],
  [{ type: 'array', items: { type: 'object', properties: { a: { enum: [1, 2] } } } }, '{ "a"?: 1 | 2 }[]'],
  [{ type: 'object' }, 'object'],
  [{ type: 'object', properties: {} }, 'object'],
  [{ properties: { 'a b': text }, required: ['a b'] }, '{ "a b": string }'],
  [{ properties: { a: text, b: text }, required: ['b'] }, '{ "b": string, "a"?: string }'],
  [{ oneOf: [text, { type: 'integer' }, text] }, 'string | integer'],
  [{ allOf: [{ properties: { a: text } }, { properties: { b: {} } }] }, '{ "a"?: string } & { "b"?: any }'],
])('%o is shown as %s', (schema, shape) => {
  expect(shapeOf(schema)).toBe(shape);
});

test('long, deep or large types are visibly truncated', () => {
  const many = { enum: Array.from({ length: 100 }, (_, n) => n) };
  expect(shapeOf(many)).toMatch(/ 19 \| …$/);
  const properties = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`field${n}`, text]));
  const wide = shapeOf({ type: 'object', properties });
  expect([wide.length <= 500, wide.endsWith('…')]).toEqual([true, true]);
  let deep: object = text;
  for (let n = 0; n < 50; n += 1) deep = { type: 'array', items: deep };
  expect(shapeOf(deep)).toBe('any[][][][][]');
});
