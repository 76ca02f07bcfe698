import type * as z from 'zod';
import type { Books } from './books.ts';

export type Method = 'GET' | 'POST' | 'DELETE';

/** One API call. It begins once its parameters are valid. */
export interface Route {
  method: Method;
  path: string;
  input: z.ZodType;
  handle: (books: Books, input: never, path: PathIds) => Promise<object>;
}

export interface PathIds {
  id: string;
  item: string;
}

export function route<T>(
  method: Method,
  path: string,
  input: z.ZodType<T>,
  handle: (books: Books, input: T, path: PathIds) => Promise<object>,
): Route {
  return { method, path, input, handle };
}

export function listOf(url: string, page: { data: object[]; has_more: boolean }): object {
  return { object: 'list', url, ...page };
}
