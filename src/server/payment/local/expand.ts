import { invalid } from './api-error.ts';
import type { Books } from './books.ts';
import { lineItems } from './checkout.ts';

const DEPTH_MAX = 4;

/** Replaces IDs with whole objects, as `expand[]=data.customer` requests. Errors: 400 if there is nothing to expand. */
export async function expand(books: Books, answer: object, paths: readonly string[]): Promise<object> {
  for (const path of paths) {
    const keys = path.split('.');
    if (keys.length > DEPTH_MAX)
      throw invalid('expand', `You cannot expand more than ${DEPTH_MAX} levels of a property.`);
    await expandIn(books, answer, keys, path);
  }
  return answer;
}

async function expandIn(
  books: Books,
  object: object,
  [key = '', ...rest]: string[],
  path: string,
): Promise<void> {
  if (Array.isArray(object)) {
    for (const each of object as object[]) await expandIn(books, each, [key, ...rest], path);
    return;
  }
  const fields = object as Record<string, unknown>;
  if (!Object.hasOwn(fields, key) && key === 'line_items') fields[key] = await included(books, fields);
  if (!Object.hasOwn(fields, key))
    throw invalid('expand', `This property cannot be expanded (${path}).`, 'property_not_expandable');
  const value = fields[key];
  if (typeof value === 'string')
    fields[key] = (await books.whatever(value)) ?? (await books.of('').whatever(value)) ?? value;
  const next = fields[key];
  if (rest.length > 0 && typeof next === 'object' && next !== null) await expandIn(books, next, rest, path);
}

async function included(books: Books, { id, object }: Record<string, unknown>): Promise<object> {
  if (object !== 'checkout.session')
    throw invalid('expand', 'This property cannot be expanded (line_items).');
  return {
    object: 'list',
    url: `/v1/checkout/sessions/${String(id)}/line_items`,
    ...(await lineItems(books, String(id))),
  };
}
