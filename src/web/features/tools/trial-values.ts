import type { ToolOperation, ToolParameter } from '../../../contract/tool.ts';

/** Form values by parameter; empty ones are not sent. */
export type TrialValues = Readonly<Record<string, string>>;

export function keyOf(parameter: ToolParameter): string {
  return `${parameter.in} ${parameter.name}`;
}

/** The arguments to send; null if a body is not valid JSON. */
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

/** Whether it is entered as JSON; otherwise its type is inferred, and text is taken as is. */
export function isJson({ in: place, type }: ToolParameter): boolean {
  return type === 'object' || type === 'array' || (place === 'body' && type === null);
}

/** Undefined if it is not JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Formatted if it is JSON. */
export function indented(text: string): string {
  const read = readJson(text);
  return read === undefined ? text : JSON.stringify(read, null, 2);
}
