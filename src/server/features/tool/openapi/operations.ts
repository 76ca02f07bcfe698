import { TOOL_FUNCTION_MAX_CHARACTERS, TOOL_OPERATIONS_MAX } from '../../../../contract/limits.ts';
import { parameterPlaces } from '../../../../contract/tool.ts';
import type { JsonSchema, RequestPlan, StoredParameter } from '../../../db/schema/index.ts';
import { Names } from './names.ts';
import { at, DocumentError, isNode, shortened, type Place, type References } from './references.ts';
import { isStorable, SCHEMA_DEPTHS, SchemaTooLarge, SchemaWriter, storable } from './schema.ts';

/** An operation as it is stored. */
export interface ReadOperation {
  id: string;
  functionName: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  inputSchema: JsonSchema;
  plan: RequestPlan;
}

export const methods = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;
/** Supported request body types, best first. */
const bodyTypes = ['application/json', 'application/x-www-form-urlencoded', 'text/plain'];
/** Set by the connection and the authentication, not by a model. */
const ownHeaders = /^(accept|content-type|authorization|cookie)$/i;

const SUMMARY_MAX_CHARACTERS = 200;
const DESCRIPTION_MAX_CHARACTERS = 1000;
const ID_MAX_CHARACTERS = 500;

/**
 * Everything the document offers to call. Operations a model can't call (a file as a body, or a schema larger than a
 * function may have) are named in `leftOut`, as are those that go to another server according to what surrounds them.
 */
export function readOperations(
  paths: Place,
  references: References,
  goesElsewhere: (around: readonly unknown[]) => boolean,
): { operations: ReadOperation[]; leftOut: string[] } {
  if (!isNode(paths.node)) throw new DocumentError('The document has no paths.');
  const names = new Names('function');
  const ids = new Set<string>();
  const operations: ReadOperation[] = [];
  const leftOut: string[] = [];
  for (const [path, given] of Object.entries(paths.node)) {
    if (!path.startsWith('/') || !isStorable(path)) continue;
    const item = references.resolve({ node: given, base: paths.base });
    for (const method of methods) {
      const operation = at(item.node, method);
      if (!isNode(operation)) continue;
      const id = idOf(operation, method, path);
      if (goesElsewhere([operation, item.node])) {
        leftOut.push(id);
        continue;
      }
      if (ids.has(id)) throw new DocumentError(`Two operations have the id “${shortened(id)}”.`);
      ids.add(id);
      if (ids.size > TOOL_OPERATIONS_MAX)
        throw new DocumentError(`The document has more than ${TOOL_OPERATIONS_MAX} operations.`);
      const read = readAsDeepAsPossible(operation, { item, method, path, references });
      if (read) operations.push({ ...read, id, functionName: names.take(id) });
      else leftOut.push(id);
    }
  }
  return { operations, leftOut: leftOut.slice(0, TOOL_OPERATIONS_MAX) };
}

function idOf(operation: unknown, method: string, path: string): string {
  const id = at(operation, 'operationId');
  const name = typeof id === 'string' && id.trim() !== '' ? id.trim() : `${method}${path}`;
  return storable(name, ID_MAX_CHARACTERS);
}

interface Around {
  item: Place;
  method: string;
  path: string;
  references: References;
}

function readAsDeepAsPossible(operation: unknown, around: Around) {
  for (const depth of SCHEMA_DEPTHS) {
    try {
      return readOne(operation, around, depth);
    } catch (error) {
      if (!(error instanceof SchemaTooLarge)) throw error;
    }
  }
  return undefined;
}

function readOne(operation: unknown, { item, method, path, references }: Around, depth: number) {
  const writer = new SchemaWriter(references, depth);
  const names = new Names('property');
  const given = parametersOf(operation, { item, path, references });
  const parameters = given.map(({ place, ...parameter }): [StoredParameter, JsonSchema] => [
    { ...parameter, property: names.take(parameter.name) },
    withDescription(writer.write(place), parameter.description),
  ]);
  const body = bodyOf(operation, item.base, references);
  if (body === 'unusable') return undefined;
  if (body) {
    const property = names.take('body');
    const { required, type, schema } = body;
    const common = { name: 'body', in: 'body', required, description: '', property } as const;
    parameters.push([{ ...common, style: type, explode: true }, writer.write(schema)]);
  }
  const inputSchema = schemaOf(parameters);
  if (JSON.stringify(inputSchema).length > TOOL_FUNCTION_MAX_CHARACTERS) throw new SchemaTooLarge();
  return {
    method: method.toUpperCase(),
    path,
    ...wordsOf(operation, item.node),
    inputSchema,
    plan: { parameters: parameters.map(([parameter]) => parameter), bodyType: body?.type ?? null },
  };
}

function schemaOf(parameters: [StoredParameter, JsonSchema][]): JsonSchema {
  const required = parameters.flatMap(([parameter]) => (parameter.required ? [parameter.property] : []));
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(([{ property }, schema]) => [property, schema])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function withDescription(schema: JsonSchema, description: string): JsonSchema {
  return description === '' ? schema : { ...schema, description };
}

type ReadParameter = Omit<StoredParameter, 'property'> & { place: Place };

/** The operation's parameters take precedence over its path's; an undeclared one in the path is a string. */
function parametersOf(
  operation: unknown,
  { item, path, references }: Omit<Around, 'method'>,
): ReadParameter[] {
  const found = new Map<string, ReadParameter>();
  for (const list of [at(operation, 'parameters'), at(item.node, 'parameters')]) {
    for (const node of Array.isArray(list) ? list : []) {
      const parameter = parameterOf(references.resolve({ node, base: item.base }));
      const key = parameter && `${parameter.in} ${parameter.name}`;
      if (parameter && key && !found.has(key)) found.set(key, parameter);
    }
  }
  for (const [, name = ''] of path.matchAll(/\{([^{}/]{1,200})\}/g)) {
    const text = { node: { type: 'string' }, base: item.base };
    const common = { name, in: 'path', required: true, description: '' } as const;
    if (!found.has(`path ${name}`))
      found.set(`path ${name}`, { ...common, style: 'simple', explode: false, place: text });
  }
  return [...found.values()];
}

function parameterOf({ node, base }: Place): ReadParameter | undefined {
  const name = at(node, 'name');
  const where = parameterPlaces.find((place) => place === at(node, 'in'));
  if (typeof name !== 'string' || name === '' || !isStorable(name)) return undefined;
  if (!where || where === 'body') return undefined;
  if (where === 'header' && ownHeaders.test(name)) return undefined;
  const usual = where === 'query' || where === 'cookie' ? 'form' : 'simple';
  const given = at(node, 'style');
  const style = typeof given === 'string' && isStorable(given) ? given : usual;
  const explode = at(node, 'explode');
  const content = at(node, 'content');
  const [written] = isNode(content) ? Object.values(content) : [];
  return {
    name,
    in: where,
    required: where === 'path' || at(node, 'required') === true,
    description: wordsFrom(at(node, 'description'), SUMMARY_MAX_CHARACTERS),
    style: written === undefined ? style : 'json',
    explode: typeof explode === 'boolean' ? explode : style === 'form' || style === 'deepObject',
    place: { node: written === undefined ? at(node, 'schema') : at(written, 'schema'), base },
  };
}

function bodyOf(operation: unknown, base: string | null, references: References) {
  const given = at(operation, 'requestBody');
  if (given === undefined) return undefined;
  const body = references.resolve({ node: given, base });
  const content = at(body.node, 'content');
  const required = at(body.node, 'required') === true;
  const offered = isNode(content) ? Object.keys(content) : [];
  const type =
    bodyTypes.find((wanted) => offered.some((key) => key.split(';', 1)[0]?.trim() === wanted)) ??
    offered.find((key) => /^application\/[\w.-]{1,80}\+json$/.test(key));
  if (type === undefined) return required ? 'unusable' : undefined;
  const key = offered.find((candidate) => candidate.split(';', 1)[0]?.trim() === type) ?? type;
  return { required, type, schema: { node: at(at(content, key), 'schema'), base: body.base } };
}

function wordsOf(operation: unknown, item: unknown): { summary: string; description: string } {
  const summary = at(operation, 'summary') ?? at(item, 'summary');
  const description = wordsFrom(at(operation, 'description'), DESCRIPTION_MAX_CHARACTERS);
  const short = wordsFrom(summary, SUMMARY_MAX_CHARACTERS);
  return {
    summary: short || storable(description.split('\n', 1)[0] ?? '', SUMMARY_MAX_CHARACTERS),
    description: [short, description].filter(Boolean).join('\n\n'),
  };
}

function wordsFrom(value: unknown, maxCharacters: number): string {
  return typeof value === 'string' ? storable(value.trim(), maxCharacters) : '';
}
