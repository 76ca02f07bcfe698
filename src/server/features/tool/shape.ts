import { shortText } from '../../../contract/cut-text.ts';
import type { JsonSchema } from '../../db/schema/index.ts';
import { isObject } from './call/check-arguments.ts';

const SHAPE_MAX_CHARACTERS = 500;
const CHOICES_MAX = 20;
/** Deeper levels don't fit into the one line shown. */
const DEPTH_MAX = 4;

/** A value's type on one line, for people who write one: `{ "item": string, "count"?: integer, "colour"?: "red" | "blue" }`. */
export function shapeOf(schema: unknown): string {
  return shortText(writtenOf(schema, 0), SHAPE_MAX_CHARACTERS);
}

function writtenOf(schema: unknown, depth: number): string {
  if (!isObject(schema) || depth > DEPTH_MAX) return 'any';
  const { const: only, enum: choices, anyOf, oneOf, allOf } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(choices)) return oneOfThese(choices.map((choice) => JSON.stringify(choice)));
  for (const several of [anyOf, oneOf])
    if (Array.isArray(several)) return oneOfThese(several.map((each) => writtenOf(each, depth + 1)));
  if (Array.isArray(allOf)) return allOf.map((each) => writtenOf(each, depth + 1)).join(' & ');
  const types = [schema['type']].flat().map(String);
  return oneOfThese(types.map((type) => ofType(type, schema, depth)));
}

function ofType(type: string, schema: JsonSchema, depth: number): string {
  if (type === 'array') {
    const items = writtenOf(schema['items'], depth + 1);
    return /[|&]/.test(items) && !items.startsWith('{') ? `(${items})[]` : `${items}[]`;
  }
  const { properties } = schema;
  if (isObject(properties) && ['object', 'undefined'].includes(type))
    return ofObject(schema, properties, depth);
  return type === 'undefined' ? 'any' : type;
}

function ofObject({ required }: JsonSchema, properties: Record<string, unknown>, depth: number): string {
  const isNeeded = (name: string) => Array.isArray(required) && required.includes(name);
  // The database keeps no key order: required properties come first.
  const entries = Object.entries(properties).toSorted(
    ([a], [b]) => Number(isNeeded(b)) - Number(isNeeded(a)),
  );
  const parts = entries.map(
    ([name, schema]) =>
      `${JSON.stringify(name)}${isNeeded(name) ? '' : '?'}: ${writtenOf(schema, depth + 1)}`,
  );
  return parts.length === 0 ? 'object' : `{ ${parts.join(', ')} }`;
}

function oneOfThese(written: string[]): string {
  const kinds = [...new Set(written)];
  const rest = kinds.length > CHOICES_MAX ? [...kinds.slice(0, CHOICES_MAX), '…'] : kinds;
  return rest.join(' | ');
}
