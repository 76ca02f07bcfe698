import * as fc from 'fast-check';
import * as z from 'zod';
import type { Route } from '../../src/contract/route.ts';
import { hostileTexts } from './hostile.ts';

/** Inputs generated from a call's schema. IDs are placeholders, which `ids.ts` replaces when the call is made. */

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Whose ID it is: from the caller's organization, another one, an earlier answer in the sequence, or nobody's. */
const idSources = ['own', 'foreign', 'seen', 'unknown'] as const;
export type IdSource = (typeof idSources)[number];

/** `«own:agt:2»` */
export function placeholder(source: IdSource, prefix: string, index: number): string {
  return `«${source}:${prefix}:${index}»`;
}

const idOf = (prefix: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.oneof(
        { weight: 5, arbitrary: fc.constant<IdSource>('own') },
        { weight: 3, arbitrary: fc.constant<IdSource>('seen') },
        { weight: 2, arbitrary: fc.constant<IdSource>('foreign') },
        { weight: 1, arbitrary: fc.constant<IdSource>('unknown') },
      ),
      fc.nat({ max: 15 }),
    )
    .map(([source, index]) => placeholder(source, prefix, index));

/** Addresses that lead nowhere, or to internal hosts: nothing outside this machine is ever contacted. */
const addresses = [
  'https://example.invalid/page',
  'http://127.0.0.1/',
  'http://[::1]:9/',
  'http://169.254.169.254/latest/meta-data/',
  'http://localhost:9/sitemap.xml',
];

/** Fields whose schema is looser than what the server requires. */
const byName: [RegExp, fc.Arbitrary<string>][] = [
  [/url$|links?$|website|address|domain/i, fc.constantFrom(...addresses)],
  [/email/i, fc.constantFrom('a@example.com', 'Friend+tag@example.com', 'x@xn--bcher-kva.example')],
  [/timezone/i, fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu')],
  [/locale|language/i, fc.constantFrom('en', 'de', 'pt')],
];

/** For patterns that the generator doesn't support. */
function matching(pattern: string): fc.Arbitrary<string> {
  if (pattern.includes('(?')) return fc.constantFrom('/', '/chat', '/a?b=c#d', '/é');
  return fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' });
}

const LONG = 60;

function textOf(schema: JsonSchema, name: string): fc.Arbitrary<string> {
  const { pattern, format, minLength = 0, maxLength = LONG } = schema;
  const prefix = /^\^([a-z]+)_\[0-7\]/.exec(pattern ?? '')?.[1];
  if (prefix) return idOf(prefix);
  if (format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((date) => date.toISOString());
  if (pattern) return matching(pattern);
  const known = byName.find(([named]) => named.test(name))?.[1];
  const free = fc.string({
    unit: 'grapheme',
    minLength,
    maxLength: Math.max(minLength, Math.min(maxLength, LONG)),
  });
  const hostile = fc.constantFrom(
    ...hostileTexts.filter(({ length }) => length <= maxLength && length >= minLength),
  );
  // A text of maximum length is worth trying unless it dominates the work.
  const longest = maxLength <= 2000 ? [{ weight: 1, arbitrary: fc.constant('w'.repeat(maxLength)) }] : [];
  const usual = [{ weight: 6, arbitrary: free }, { weight: 2, arbitrary: hostile }, ...longest];
  return known ? fc.oneof({ weight: 8, arbitrary: known }, ...usual.slice(0, 2)) : fc.oneof(...usual);
}

function objectOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    arbitraryOf(field as JsonSchema, name),
  ]);
  const record = fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: required,
  });
  if (typeof additionalProperties !== 'object' || Object.keys(properties).length > 0) return record;
  const keys = schema.propertyNames ? arbitraryOf(schema.propertyNames as JsonSchema, '') : fc.string();
  return fc.dictionary(keys as fc.Arbitrary<string>, arbitraryOf(additionalProperties, ''), {
    maxKeys: 4,
  });
}

function numberOf({ type, minimum, maximum, exclusiveMinimum }: JsonSchema): fc.Arbitrary<number> {
  const min = Number(minimum ?? exclusiveMinimum ?? -(2 ** 31));
  const max = Math.max(min, maximum ?? 2 ** 31);
  return type === 'integer'
    ? fc.integer({ min: Math.ceil(min), max: Math.floor(max) })
    : fc.double({ min, max, noNaN: true });
}

/** A value the schema allows; rules that JSON Schema can't express may still reject it. */
function arbitraryOf(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => arbitraryOf(choice, name)));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]));
  if (schema.type === 'array') return listOf(schema, name);
  if (schema.type === 'string') return textOf(schema, name);
  if (schema.type === 'integer' || schema.type === 'number') return numberOf(schema);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'null') return fc.constant(null);
  return schema.type === 'object' ? objectOf(schema) : fc.jsonValue({ maxDepth: 2 });
}

function listOf(schema: JsonSchema, name: string): fc.Arbitrary<unknown[]> {
  const { minItems = 0, maxItems = 3 } = schema;
  const maxLength = Math.max(minItems, Math.min(maxItems, 3));
  return fc.array(arbitraryOf((schema.items ?? {}) as JsonSchema, name), { minLength: minItems, maxLength });
}

/** A call's input, except the file of a form. */
export function inputOf(route: Route): fc.Arbitrary<Record<string, unknown>> {
  const schema = z.toJSONSchema(route.input as unknown as z.ZodType, { io: 'input', unrepresentable: 'any' });
  const { media: _media, ...properties } = schema.properties ?? {};
  const required = schema.required?.filter((name) => name !== 'media') ?? [];
  return objectOf({ ...schema, properties, required }) as fc.Arbitrary<Record<string, unknown>>;
}
