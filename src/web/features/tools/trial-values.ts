import type { ToolOperation, ToolParameter } from '../../../contract/tool.ts';

/** By parameter, as fields hold them; what is empty is not sent. */
export type TrialValues = Readonly<Record<string, string>>;

export function keyOf(parameter: ToolParameter): string {
  return `${parameter.in} ${parameter.name}`;
}

/** What is sent; null where a body is no JSON. */
export function argumentsOf(
  { parameters }: ToolOperation,
  values: TrialValues,
): Record<string, unknown> | null {
  const given: Record<string, unknown> = {};
  for (const parameter of parameters) {
    const text = (values[keyOf(parameter)] ?? '').trim();
    if (text === '') continue;
    const read = parameter.type === 'string' ? text : readJson(text);
    if (isJson(parameter) && read === undefined) return null;
    given[parameter.property] = read === undefined ? text : read;
  }
  return given;
}

/** Whether it is written as JSON; else as what it looks like, and a text as it stands. */
export function isJson({ in: place, type }: ToolParameter): boolean {
  return type === 'object' || type === 'array' || (place === 'body' && type === null);
}

/** Undefined for what is none. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Easier to read where it is JSON. */
export function indented(text: string): string {
  const read = readJson(text);
  return read === undefined ? text : JSON.stringify(read, null, 2);
}
