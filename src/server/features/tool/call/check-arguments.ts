import { TOOL_ARGUMENTS_MAX_CHARACTERS } from '../../../../contract/limits.ts';
import type { JsonSchema } from '../../../db/schema/index.ts';

export type Arguments = Record<string, unknown>;

/** Arguments that can't be sent, in words for the model that wrote them. */
export class ArgumentError extends Error {}

const DEPTH_MAX = 32;

/** Parses the arguments a model wrote. Throws `ArgumentError`. */
export function readArguments(input: string): Arguments {
  if (input.length > TOOL_ARGUMENTS_MAX_CHARACTERS) throw new ArgumentError('The arguments are too long.');
  let read: unknown;
  try {
    read = input.trim() === '' ? {} : JSON.parse(input);
  } catch {
    throw new ArgumentError('The arguments are not valid JSON.');
  }
  if (!isObject(read)) throw new ArgumentError('The arguments must be a JSON object.');
  return read;
}

/** Checks against the function's own schema: names and simple types only. Deeper levels are left to the service. */
export function checkArguments(schema: JsonSchema, given: Arguments): void {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const isOpen = schema['additionalProperties'] !== false;
  for (const name of required)
    if (!Object.hasOwn(given, name)) throw new ArgumentError(`“${name}” is missing.`);
  for (const [name, value] of Object.entries(given)) {
    if (name === '__proto__' || (!isOpen && !Object.hasOwn(properties, name)))
      throw new ArgumentError(`There is no “${name.slice(0, 100)}” here.`);
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (isObject(property)) checkValue(name, property, value);
  }
  requireStorable(given, 0);
}

function checkValue(name: string, schema: JsonSchema, value: unknown): void {
  const { type, enum: choices } = schema;
  const kinds = Array.isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : [];
  const mayBeNull = schema['nullable'] === true || kinds.includes('null');
  if (value === null && mayBeNull) return;
  if (kinds.length > 0 && !kinds.some((kind) => isOfKind(kind, value)))
    throw new ArgumentError(`“${name}” must be of the type ${kinds.join(' or ')}.`);
  if (Array.isArray(choices) && !choices.includes(value))
    throw new ArgumentError(`“${name}” must be one of ${JSON.stringify(choices).slice(0, 500)}.`);
}

function isOfKind(kind: string, value: unknown): boolean {
  if (kind === 'integer') return Number.isInteger(value);
  if (kind === 'array') return Array.isArray(value);
  if (kind === 'object') return isObject(value);
  if (kind === 'null') return value === null;
  return typeof value === kind;
}

/** Throws for values the database can't hold, and for names with a special meaning in objects. */
function requireStorable(value: unknown, depth: number): void {
  if (depth > DEPTH_MAX) throw new ArgumentError('The arguments are nested too deeply.');
  if (typeof value === 'string' && (value.includes('\u0000') || !value.isWellFormed()))
    throw new ArgumentError('The arguments contain broken characters.');
  if (Array.isArray(value)) for (const item of value) requireStorable(item, depth + 1);
  else if (isObject(value))
    for (const [name, child] of Object.entries(value)) {
      if (name === '__proto__') throw new ArgumentError('There is no “__proto__” here.');
      requireStorable(name, depth);
      requireStorable(child, depth + 1);
    }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
