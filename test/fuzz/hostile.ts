import * as fc from 'fast-check';

/** What none of our clients sends. */

/** Texts that are interpreted somewhere: as SQL, paths, markup, templates, patterns, headers, formulas. */
export const hostileTexts = [
  "' or 1=1--",
  '"; drop table agent; --',
  'asc;--',
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  '%00',
  '%',
  '_',
  '*',
  '\\',
  '&|!()<->:*',
  '{{constructor.constructor("return 1")()}}',
  '${7*7}<%= 7*7 %>',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '=cmd|calc!A1',
  '+1\t@SUM(1)',
  'a\r\nX-Injected: 1',
  '\u001b[31mred',
  '\u202egnp.exe',
  '\u{1f600}\u200d\u{1f525}',
  'ﷺ'.repeat(20),
  'a'.repeat(40) + '!',
  '(((((((((((((((((((((((((a+)+)+)+)+',
  '__proto__',
  'constructor',
  'null',
  'true',
  '-1',
  '1e309',
  '9'.repeat(30),
  '2024-02-30T00:00:00Z',
  '+999999-01-01T00:00:00Z',
];

/** Values of the wrong type, unstorable, or out of every range. */
const hostileValues: unknown[] = [
  ...hostileTexts,
  '',
  ' ',
  'a\u0000b',
  '\ud800',
  'w'.repeat(5000),
  null,
  true,
  0,
  -1,
  0.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  [],
  [[]],
  ['a', 'b'],
  {},
  { $ne: '' },
  { length: 1e9 },
  { toString: 'x' },
  { __proto__x: 1 },
  Array.from({ length: 200 }, () => 'x'),
];

const strangeFields = [
  'organizationId',
  'id',
  'role',
  'isAdmin',
  'userId',
  'plan',
  'createdAt',
  '__proto',
  'constructor',
  'a[b]',
  '',
];

/** A mutation that makes an input near-valid or worse. `at` indexes its fields, wrapping around. */
export type Change =
  | { kind: 'drop'; at: number }
  | { kind: 'replace'; at: number; value: unknown }
  | { kind: 'nest'; at: number; value: unknown }
  | { kind: 'add'; name: string; value: unknown }
  | { kind: 'double'; at: number };

const at = fc.nat({ max: 30 });
const value = fc.constantFrom(...hostileValues);

export const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('drop' as const), at }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('replace' as const), at, value }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('nest' as const), at, value }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      name: fc.constantFrom(...strangeFields),
      value,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('double' as const), at }) },
);

/** The input with these changes; the original stays unchanged. */
export function changed(input: Record<string, unknown>, changes: readonly Change[]): Record<string, unknown> {
  const result = structuredClone(input);
  for (const change of changes) {
    if (change.kind === 'add') {
      result[change.name] = change.value;
      continue;
    }
    const names = Object.keys(result);
    const name = names[change.at % Math.max(1, names.length)];
    if (name === undefined) continue;
    if (change.kind === 'drop') delete result[name];
    else if (change.kind === 'double') result[name] = [result[name], result[name]];
    else if (change.kind === 'replace') result[name] = change.value;
    else result[name] = nested(result[name], change.value);
  }
  return result;
}

/** Inserts the value inside another, if that has an inside. */
function nested(around: unknown, value: unknown): unknown {
  if (Array.isArray(around)) return [...around, value];
  if (typeof around === 'object' && around !== null) {
    const [first = 'x'] = Object.keys(around);
    return { ...around, [first]: value };
  }
  return value;
}

/** The form of a request that isn't sent the way the client does. */
export type Form =
  | { kind: 'body'; body: string; type: string }
  | { kind: 'header'; name: string; value: string }
  | { kind: 'query'; text: string }
  | { kind: 'path'; text: string };

const deep = '['.repeat(500) + ']'.repeat(500);
const bodies = [
  '',
  '{',
  '[]',
  'null',
  '1',
  '"x"',
  deep,
  '{"a":1,"a":2}',
  '{"__proto__":{"polluted":1}}',
  '\ufeff{}',
  '{"x":1e999}',
];
const types = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/json; charset=utf-16',
  'x',
];
const headers: [string, string][] = [
  ['authorization', 'Bearer '],
  ['authorization', 'Bearer eyJhbGciOiJub25lIn0.e30.'],
  ['authorization', 'Basic eDp4'],
  ['cookie', 'auth-token=eyJhbGciOiJub25lIn0.e30.; a=b; a=c'],
  ['cookie', `x=${'y'.repeat(3000)}`],
  ['accept', 'text/event-stream'],
  ['accept', 'text/html, */*;q=x'],
  ['accept-language', '*;q=0.5, xx-YY-zz-'],
  ['range', 'bytes=0-,0-,0-'],
  ['if-none-match', '"*", W/"x"'],
  ['idempotency-key', ''],
  ['idempotency-key', 'fixed-key'],
  ['idempotency-key', 'x'.repeat(300)],
  ['x-http-method-override', 'DELETE'],
  ['origin', 'null'],
  ['origin', 'https://evil.example'],
  ['sec-fetch-site', 'cross-site'],
  ['host', 'evil.example'],
  ['x-forwarded-host', 'evil.example'],
  ['x-forwarded-for', 'unknown, ::1, 999.1.1.1'],
  ['content-encoding', 'gzip'],
  ['expect', '100-continue'],
];

export const form: fc.Arbitrary<Form> = fc.oneof(
  fc.record({
    kind: fc.constant('body' as const),
    body: fc.constantFrom(...bodies),
    type: fc.constantFrom(...types),
  }),
  fc.constantFrom(...headers).map(([name, value]) => ({ kind: 'header' as const, name, value })),
  fc.record({
    kind: fc.constant('query' as const),
    text: fc.constantFrom(
      'count=1&count=2',
      'a[b]=c',
      '%',
      '%ff',
      'cursor=x&cursor=y',
      `x=${'y'.repeat(4000)}`,
      '__proto__=1',
      'count=1e9',
    ),
  }),
  fc.record({
    kind: fc.constant('path' as const),
    text: fc.constantFrom('%', '%ff', '%00', '/', '//', '/..', ';a=b', '%2e%2e%2f', '/%c0%af', '#x', '\\..'),
  }),
);
