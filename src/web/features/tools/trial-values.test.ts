import { expect, test } from 'vitest';
import type { ToolOperation } from '../../../contract/tool.ts';
import { argumentsOf, indented } from './trial-values.ts';

const common = { required: false, description: '', shape: 'any' };
const operation: ToolOperation = {
  id: 'change',
  functionName: 'change',
  method: 'PUT',
  path: '/orders/{id}',
  summary: '',
  enabled: true,
  policy: 'ask',
  hasFixture: false,
  parameters: [
    { ...common, name: 'id', property: 'id', in: 'path', type: null },
    { ...common, name: 'count', property: 'count_query', in: 'query', type: 'integer' },
    { ...common, name: 'body', property: 'body', in: 'body', type: 'object' },
    { ...common, name: 'note', property: 'note', in: 'query', type: 'string' },
  ],
};

test('a value is sent as the type it looks like, as text in quotes, and not at all if empty', () => {
  const values = { 'path id': '"12"', 'query count': '3', 'body body': ' ' };
  expect(argumentsOf(operation, values)).toEqual({ id: '12', count_query: 3 });
  expect(argumentsOf(operation, { 'path id': 'a-12' })).toEqual({ id: 'a-12' });
});

test('a value of type text is sent as is', () => {
  expect(argumentsOf(operation, { 'query note': '12' })).toEqual({ note: '12' });
  expect(argumentsOf(operation, { 'query note': '"12"' })).toEqual({ note: '"12"' });
});

test('a body that is not JSON is not sent', () => {
  expect(argumentsOf(operation, { 'body body': '{"item":' })).toBeNull();
  expect(argumentsOf(operation, { 'body body': '{"item":"pen"}' })).toEqual({ body: { item: 'pen' } });
});

test('JSON is shown indented, anything else as is', () => {
  expect(indented('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(indented('no JSON')).toBe('no JSON');
});
