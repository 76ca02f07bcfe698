import pg from 'pg';
import { literal } from './literal.ts';
import type { Filled } from './shape.ts';

/** PostgreSQL's codes for a missing prepared statement. A pooler between us and it alternates connections. */
const UNKNOWN_STATEMENT = new Set(['26000', '42P05']);

/**
 * Statements that are planned once per connection rather than every time: planning a large one takes longer than
 * running it. A message that runs one also prepares it if necessary.
 */
export class PreparedStatements {
  readonly #names = new Map<string, string>();
  readonly #known = new WeakMap<pg.PoolClient, Set<string>>();
  #isPossible = true;

  /** False behind a pooler, where a connection doesn't keep prepared statements. */
  get isPossible(): boolean {
    return this.#isPossible;
  }

  /** The text that runs a statement with its values. There must be few texts: each is kept. */
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

  /** True if the statement wasn't run for lack of preparation, and should be run unprepared. */
  failedFor(error: unknown): boolean {
    const isUnknown = error instanceof pg.DatabaseError && UNKNOWN_STATEMENT.has(error.code ?? '');
    if (isUnknown) this.#isPossible = false;
    return isUnknown;
  }
}
