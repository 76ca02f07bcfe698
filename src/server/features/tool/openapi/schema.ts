import type { JsonSchema } from '../../../db/schema/index.ts';
import { at, isNode, type Place, type References } from './references.ts';

/**
 * How deep schemas are expanded; anything deeper is unconstrained. A schema too large for one operation is expanded
 * less deeply.
 */
export const SCHEMA_DEPTHS = [12, 6, 4, 3, 2] as const;
/** The limit for all schemas of one operation together. */
const PARTS_MAX = 1000;

const DESCRIPTION_MAX_CHARACTERS = 500;

/** Keywords passed to models unchanged. Patterns are excluded: they are foreign programs. */
const plain = [
  'type',
  'format',
  'enum',
  'const',
  'default',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'nullable',
];

/** Literal values are passed on no deeper than arguments are accepted. */
const VALUE_DEPTH_MAX = 32;

/** In a form the database can hold. */
export function storable(text: string, maxCharacters: number): string {
  return text.replaceAll('\u0000', '').slice(0, maxCharacters).toWellFormed();
}

/** Whether the database can hold it as it is. */
export function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return !value.includes('\u0000') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (depth > VALUE_DEPTH_MAX) return false;
  return Object.entries(value).every(([name, child]) => isStorable(name) && isStorable(child, depth + 1));
}

/** More than a model is told about one operation. */
export class SchemaTooLarge extends Error {}

/**
 * Expands the schemas of one operation so that they contain no references; recursive parts are unconstrained from there
 * on. Names and values that can't be stored can't be passed either, and are left out.
 */
export class SchemaWriter {
  readonly #references: References;
  readonly #depth: number;
  #parts = 0;

  constructor(references: References, depth: number) {
    this.#references = references;
    this.#depth = depth;
  }

  write(place: Place, within: readonly string[] = []): JsonSchema {
    this.#parts += 1;
    if (this.#parts > PARTS_MAX) throw new SchemaTooLarge();
    const reference = at(place.node, '$ref');
    const inside =
      typeof reference === 'string'
        ? [...within, this.#references.nameOf(reference, place.base)]
        : [...within, ''];
    const isCircle = typeof reference === 'string' && within.includes(inside.at(-1) ?? '');
    if (isCircle || inside.length > this.#depth) return {};
    const { node, base } = this.#references.resolve(place);
    if (!isNode(node)) return {};
    const part = (child: unknown) => this.write({ node: child, base }, inside);
    const written: [string, unknown][] = plain.flatMap((key) => {
      const value = at(node, key);
      return value === undefined || !isStorable(value) ? [] : [[key, value] as [string, unknown]];
    });
    const description = at(node, 'description');
    if (typeof description === 'string')
      written.push(['description', storable(description, DESCRIPTION_MAX_CHARACTERS)]);
    for (const key of ['items', 'additionalProperties'] as const) {
      const child = at(node, key);
      if (isNode(child)) written.push([key, part(child)]);
      else if (child === false) written.push([key, false]);
    }
    for (const key of ['oneOf', 'anyOf', 'allOf'] as const) {
      const choices = at(node, key);
      if (Array.isArray(choices)) written.push([key, choices.map(part)]);
    }
    const properties = at(node, 'properties');
    if (isNode(properties)) written.push(...this.#object(node, properties, part));
    return Object.fromEntries(written);
  }

  /** Read-only properties are not asked for. */
  #object(
    node: unknown,
    properties: Record<string, unknown>,
    part: (child: unknown) => JsonSchema,
  ): [string, unknown][] {
    const given = Object.entries(properties).filter(
      ([name, child]) => name !== '__proto__' && isStorable(name) && at(child, 'readOnly') !== true,
    );
    const names = new Set(given.map(([name]) => name));
    const listed = at(node, 'required');
    const required = Array.isArray(listed) ? listed.filter((name) => names.has(name)) : [];
    return [
      ['properties', Object.fromEntries(given.map(([name, child]) => [name, part(child)]))],
      ...(required.length > 0 ? [['required', required] as [string, unknown]] : []),
    ];
  }
}
