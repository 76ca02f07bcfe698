import { is, Placeholder, type SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { literal, type Value } from './literal.ts';

/** A statement as it is sent: its values stand in its text as `$1`, `$2`, … */
export interface Filled {
  text: string;
  values: Value[];
}

const dialect = new PgDialect();

/**
 * A large statement that is put together once: doing so takes as long as the database takes for it. What changes each time are
 * its placeholders (`sql.placeholder`); all other values become part of its text.
 */
export class Shape<Name extends string> {
  readonly #text: string;
  readonly #names: Name[];

  constructor(statement: SQL) {
    const { sql, params } = dialect.sqlToQuery(statement.inlineParams());
    this.#text = sql;
    this.#names = params.map(nameOf<Name>);
  }

  with(values: Record<Name, Value>): Filled {
    return { text: this.#text, values: this.#names.map((name) => values[name]) };
  }
}

function nameOf<Name extends string>(param: unknown): Name {
  if (!is(param, Placeholder)) throw new TypeError('Only a placeholder has no value yet.');
  return param.name as Name;
}

export function filled(statement: SQL | Filled): Filled {
  if ('text' in statement) return statement;
  const { sql, params } = dialect.sqlToQuery(statement);
  return { text: sql, values: params as Value[] };
}

/** With its values as literals. */
export function writtenOut(statement: SQL | Filled): string {
  if (!('text' in statement)) return dialect.sqlToQuery(statement.inlineParams()).sql;
  const { text, values } = statement;
  return text.replaceAll(/\$(\d+)/g, (_, number: string) => literal(values[Number(number) - 1] ?? null));
}
