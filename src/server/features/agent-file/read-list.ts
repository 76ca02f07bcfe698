import type * as z from 'zod';
import { AgentFileError, type Archive } from './archive.ts';

/** The parsed value. Errors: `AgentFileError` with the first invalid field. */
export function fitting<S extends z.ZodType>(schema: S, value: unknown, where: string): z.output<S> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const field = issue?.path.join('.') ?? '';
  throw new AgentFileError(
    `${where}${field ? `, ${field}` : ''}: ${issue?.message ?? 'this is wrong.'}`.slice(0, 500),
  );
}

/** A list, parsed by its schema, with the location of each entry. */
export async function* listed<S extends z.ZodType>(
  archive: Archive,
  part: string,
  schema: S,
): AsyncGenerator<{ value: z.output<S>; where: string }> {
  for await (const { number, value } of archive.lines(part)) {
    const where = `${part}, line ${number}`;
    yield { value: fitting(schema, value, where), where };
  }
}

/** The whole list. Errors: `AgentFileError` for more than `most` lines. */
export async function readList<S extends z.ZodType>(
  archive: Archive,
  part: string,
  schema: S,
  most: number,
): Promise<z.output<S>[]> {
  const list: z.output<S>[] = [];
  for await (const { value } of listed(archive, part, schema)) {
    if (list.length >= most) throw new AgentFileError(`${part} has more than ${most} lines.`);
    list.push(value);
  }
  return list;
}
