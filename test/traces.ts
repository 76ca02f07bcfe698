import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';

/** Every row of every table, as text, that contains one of these; the payment provider's own books are not ours to inspect. */
export async function rowsWith(owner: pg.Pool, texts: string[]): Promise<string[]> {
  const { rows: tables } = await owner.query<{ schema: string; name: string }>(
    `select distinct table_schema as schema, table_name as name from information_schema.columns
       join information_schema.tables using (table_schema, table_name)
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema', 'payment_local')`,
  );
  const found: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await owner.query<{ row: string }>(
      `select left(t::text, 400) as row from "${schema}"."${name}" t
        where exists (select from unnest($1::text[]) as given where position(lower(given) in lower(t::text)) > 0)`,
      [texts],
    );
    found.push(...rows.map(({ row }) => `${schema}.${name}: ${row}`));
  }
  return found;
}

/** Files below a folder whose name or bytes contain one of these. */
export async function filesWith(folder: string, texts: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const held = `${file}\n${(await readFile(file)).toString('latin1')}`.toLowerCase();
    if (texts.some((each) => held.includes(each.toLowerCase()))) found.push(file);
  }
  return found;
}
