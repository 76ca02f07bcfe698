import type { RequestPlan, StoredParameter } from '../../../db/schema/index.ts';
import { ArgumentError, isObject, type Arguments } from './check-arguments.ts';

export interface ServiceRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string | null;
}

/**
 * Builds an operation's request from arguments. Whatever a model writes, it goes to the tool's own server and to this
 * operation: a value in the path is a single segment. Throws `ArgumentError`.
 */
export function requestOf(
  serverUrl: string,
  operation: { method: string; path: string; plan: RequestPlan },
  given: Arguments,
): ServiceRequest {
  const { method, plan } = operation;
  const values = plan.parameters.flatMap((parameter): [StoredParameter, unknown][] =>
    Object.hasOwn(given, parameter.property) && given[parameter.property] !== null
      ? [[parameter, given[parameter.property]]]
      : [],
  );
  const of = (place: StoredParameter['in']) => values.filter(([parameter]) => parameter.in === place);
  const base = new URL(serverUrl);
  const url = new URL(base.href.replace(/\/$/, '') + pathOf(operation.path, of('path')));
  if (url.origin !== base.origin) throw new ArgumentError('The path leads elsewhere.');
  for (const [parameter, value] of of('query'))
    for (const [name, text] of pairsOf(parameter, value)) url.searchParams.append(name, text);
  const headers: Record<string, string> = { accept: 'application/json, text/*;q=0.9, */*;q=0.5' };
  for (const [{ name, style, explode }, value] of of('header'))
    headers[name.toLowerCase()] = headerText(
      style === 'json' ? JSON.stringify(value) : itemsOf(value, explode, flat).join(','),
    );
  const cookies = of('cookie').map(([{ name }, value]) => `${name}=${encodeURIComponent(flat(value))}`);
  if (cookies.length > 0) headers['cookie'] = cookies.join('; ');
  const [body] = of('body');
  if (!body || plan.bodyType === null || method === 'GET' || method === 'HEAD')
    return { method, url, headers, body: null };
  headers['content-type'] = plan.bodyType;
  return { method, url, headers, body: bodyText(plan.bodyType, body[1]) };
}

function pathOf(template: string, values: [StoredParameter, unknown][]): string {
  const byName = new Map(values.map(([parameter, value]) => [parameter.name, inPath(parameter, value)]));
  const path = template.replace(/\{([^{}/]{1,200})\}/g, (_whole, name: string) => {
    const text = byName.get(name) ?? '';
    if (text === '') throw new ArgumentError(`“${name}” is not allowed in a path.`);
    return text;
  });
  // A segment of dots would be read as a parent path.
  if (path.split('/').some((segment) => /^\.{1,2}$/.test(segment)))
    throw new ArgumentError('Dots alone are not allowed in a path.');
  return path;
}

/** RFC 6570 as OpenAPI applies it: `{value}`, `{.value}` for style `label`, `{;value}` for `matrix`. */
function inPath({ name, style, explode }: StoredParameter, value: unknown): string {
  const encoded = (item: unknown) => encodeURIComponent(flat(item));
  const items =
    style === 'json' ? [encodeURIComponent(JSON.stringify(value))] : itemsOf(value, explode, encoded);
  if (items.every((item) => item === '')) return '';
  if (style === 'label') return `.${items.join(explode ? '.' : ',')}`;
  if (style !== 'matrix') return items.join(',');
  const key = encodeURIComponent(name);
  if (!explode) return `;${key}=${items.join(',')}`;
  return items.map((item) => (isObject(value) ? `;${item}` : `;${key}=${item}`)).join('');
}

/** The parts of a value to be joined with commas or the style's own separator. */
function itemsOf(value: unknown, explode: boolean, textOf: (item: unknown) => string): string[] {
  if (Array.isArray(value)) return value.map(textOf);
  if (!isObject(value)) return [textOf(value)];
  const pairs = Object.entries(value).map(([key, item]) => [textOf(key), textOf(item)]);
  return explode ? pairs.map((pair) => pair.join('=')) : pairs.flat();
}

/** A value's query parameters. */
function pairsOf({ name, style, explode }: StoredParameter, value: unknown): [string, string][] {
  if (style === 'json') return [[name, JSON.stringify(value)]];
  if (Array.isArray(value)) {
    if (explode) return value.map((item) => [name, flat(item)]);
    const between = style === 'spaceDelimited' ? ' ' : style === 'pipeDelimited' ? '|' : ',';
    return [[name, value.map(flat).join(between)]];
  }
  if (!isObject(value)) return [[name, flat(value)]];
  if (style === 'deepObject') return deepPairs(name, value);
  if (!explode) return [[name, itemsOf(value, explode, flat).join(',')]];
  return Object.entries(value).map(([key, item]) => [key, flat(item)]);
}

/** `metadata[colour]=red`, as forms encode nested values. */
function deepPairs(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item, at) => deepPairs(`${name}[${at}]`, item));
  if (isObject(value))
    return Object.entries(value).flatMap(([key, item]) => deepPairs(`${name}[${key}]`, item));
  return value === null || value === undefined ? [] : [[name, flat(value)]];
}

function flat(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(flat).join(',');
  return JSON.stringify(value) ?? '';
}

/** Nothing can break out of its line. */
function headerText(text: string): string {
  if (!/^[\t -~\u0080-\u00ff]*$/.test(text))
    throw new ArgumentError('A header must be one line of plain text.');
  return text;
}

function bodyText(type: string, value: unknown): string {
  if (type === 'text/plain') return flat(value);
  if (type !== 'application/x-www-form-urlencoded') return JSON.stringify(value);
  if (!isObject(value)) throw new ArgumentError('“body” must be an object.');
  return new URLSearchParams(Object.entries(value).flatMap(([key, item]) => deepPairs(key, item))).toString();
}
