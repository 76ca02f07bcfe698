import { Readable } from 'node:stream';
import { sql, type SQL } from 'drizzle-orm';
import type { ZipEntry } from '../../zip.ts';

const AT_ONCE = 200;

/** Runs one statement in the scope of the file's subject. */
export type Ask = (statement: SQL) => Promise<Record<string, unknown>[]>;

/** A list as a ZIP entry; its statement has a column `key`, which is used for paging and left out. */
export function listEntry(ask: Ask, name: string, statement: SQL): ZipEntry {
  const lines = name.endsWith('.jsonl') ? linesOf(ask, statement) : arrayOf(ask, statement);
  return { name, compress: true, open: async () => Readable.from(lines) };
}

async function* rowsOf(ask: Ask, statement: SQL): AsyncGenerator<Record<string, unknown>> {
  for (let after = ''; ;) {
    const page = await ask(
      sql`select * from (${statement}) listed where listed.key > ${after} order by listed.key limit ${AT_ONCE}`,
    );
    for (const { key: _, ...row } of page) yield row;
    if (page.length < AT_ONCE) return;
    after = String(page.at(-1)?.['key']);
  }
}

async function* linesOf(ask: Ask, statement: SQL): AsyncGenerator<string> {
  for await (const row of rowsOf(ask, statement)) yield `${JSON.stringify(row)}\n`;
}

async function* arrayOf(ask: Ask, statement: SQL): AsyncGenerator<string> {
  let before = '[\n';
  for await (const row of rowsOf(ask, statement)) {
    yield `${before}${JSON.stringify(row, null, 2)}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

export function textEntry(name: string, text: () => Promise<string> | string): ZipEntry {
  return { name, compress: true, open: async () => Readable.from([Buffer.from(await text())]) };
}

/** A name that is safe in a ZIP and on every system. */
export function safeName(name: string): string {
  const kept = name
    .replace(/[^\p{L}\p{M}\p{N}._ -]+/gu, ' ')
    .replace(/^[. ]+/, '')
    .trim();
  return kept.slice(-100).toWellFormed() || 'file';
}
