import pg from 'pg';
import { literal } from './literal.ts';
import type { Filled } from './shape.ts';

/** PostgreSQL's words for: there is no such prepared statement. A pooler between us and it gives out connections by turns. */
const UNKNOWN_STATEMENT = new Set(['26000', '42P05']);

/**
 * Statements that are planned once a connection and not each time: for a large one planning takes longer than doing it.
 * A message that runs one also prepares it where that has not been done.
 */
export class PreparedStatements {
  readonly #names = new Map<string, string>();
  readonly #known = new WeakMap<pg.PoolClient, Set<string>>();
  #isPossible = true;

  /** False behind a pooler, where a connection does not keep what was prepared. */
  get isPossible(): boolean {
    return this.#isPossible;
  }

  /** The text that runs a statement with its values. Texts must be few: each is kept. */
  textFor(client: pg.PoolClient, { text, values }: Filled): string {
    const name = this.#names.get(text) ?? `parley_${this.#names.size}`;
    this.#names.set(text, name);
    const known = this.#known.get(client) ?? new Set();
    this.#known.set(client, known);
    const prepare = known.has(name) ? '' : `prepare ${name} as ${text}; `;
    known.add(name);
    const given = values.length > 0 ? `(${values.map(literal).join(', ')})` : '';
    return `${prepare}execute ${name}${given}`;
  }

  /** True when the statement was not run for want of its preparation, and is to be run without. */
  failedFor(error: unknown): boolean {
    const isUnknown = error instanceof pg.DatabaseError && UNKNOWN_STATEMENT.has(error.code ?? '');
    if (isUnknown) this.#isPossible = false;
    return isUnknown;
  }
}
