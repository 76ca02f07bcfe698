import * as z from 'zod';
import { contract } from '../../src/contract/index.ts';
import type { Route } from '../../src/contract/route.ts';
import type { Product } from '../product.ts';

/** Every call of the contract by name, like `member.invite`. */
export const calls: [name: string, route: Route][] = Object.entries(contract).flatMap(([area, routes]) =>
  Object.entries(routes as Record<string, Route>).map(([name, route]): [string, Route] => [
    `${area}.${name}`,
    route,
  ]),
);

export interface IdField {
  field: string;
  /** `agt` */
  prefix: string;
  isList: boolean;
}

/** The fields of a call that take IDs, according to its schema. */
export function idFieldsOf(route: Route): IdField[] {
  return Object.entries(route.input.shape).flatMap(([field, schema]) => {
    if (field === 'media') return [];
    const json = z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' });
    const items = json.type === 'array' ? (json.items as { pattern?: string }) : json;
    const prefix = /^\^([a-z]+)_/.exec(items.pattern ?? '')?.[1];
    return prefix === undefined ? [] : [{ field, prefix, isList: json.type === 'array' }];
  });
}

/** Written whenever there is a check for something to read. */
const upkeep = ['question_reading'];

/**
 * A hash of every row of every organization, to verify that nothing changed. Aggregates are left out: they follow
 * automatically, some time after their source.
 */
export async function hashRows(product: Product): Promise<Record<string, string>> {
  const { owner } = product.app.deps.db;
  const { rows: tables } = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity
        and (relname not like 'insight\\_%' or relname = 'insight_link')`,
  );
  const told = tables.filter(({ name }) => !upkeep.includes(name));
  const hashes = told.map(async ({ name }): Promise<[string, string]> => {
    const { rows } = await owner.query<{ hash: string }>(
      `select coalesce(md5(string_agg(row::text, ',' order by row::text)), '') as hash from "${name}" row`,
    );
    return [name, rows[0]?.hash ?? ''];
  });
  return Object.fromEntries(await Promise.all(hashes));
}
