import { is, Placeholder, sql, type SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { literal, type Value } from './literal.ts';

/** A statement as sent: its text refers to its values as `$1`, `$2`, … */
export interface Filled {
  text: string;
  values: Value[];
  /** Its shape and arguments: it can be merged into one statement with others of that shape. */
  asked?: { shape: AnyShape; given: Given };
  /** The same as two statements of one transaction, for a single caller that can continue with what the first reads. */
  split?: { read: Filled; write: Filled } | undefined;
}

export type Given = Record<string, Value>;

/** The order of its values, and their PostgreSQL types. */
type Columns<Name extends string> = Record<Name, 'text' | 'int' | 'bigint' | 'boolean'>;

interface Keys<Name extends string> {
  /** Tells the askers apart: each row returned by the statement identifies its owner in `"askedBy"`. */
  key: Name;
  /** The value that no two askers in one statement may share. */
  apart: Name;
}

/** Any shape, for code that doesn't care about its values' names. */
export type AnyShape = Pick<Shape<string>, 'askedBy' | 'isApart' | 'withAll'>;

const dialect = new PgDialect();

/**
 * A large statement that is built once: building it takes as long as the database takes to run it. `statement` is built
 * on `asked`, a row source with a column for each value and a row for each asker: usually one, or many in one
 * statement, which costs PostgreSQL a third of separate statements. Askers must not depend on one another; where they
 * do, such as when there isn't enough for all, the statement returns a row with `"alone"` true for each one affected
 * and does nothing for them. With `isMany` false there is one asker, and what only many need can be left out.
 */
export class Shape<Name extends string> {
  readonly #columns: [Name, string][];
  readonly #statement: (asked: SQL, isMany: boolean) => SQL;
  readonly #keys: Keys<Name>;
  readonly #text: string;
  readonly #names: Name[];
  #textForMany: string | undefined;

  constructor(columns: Columns<Name>, keys: Keys<Name>, statement: (asked: SQL, isMany: boolean) => SQL) {
    this.#columns = Object.entries(columns) as [Name, string][];
    this.#keys = keys;
    this.#statement = statement;
    const given = this.#columns.map(
      ([name, type]) => sql`${sql.placeholder(name)}::${sql.raw(type)} as ${sql.identifier(name)}`,
    );
    const query = written(statement(sql`(select ${sql.join(given, sql`, `)})`, false));
    this.#text = query.sql;
    this.#names = query.params.map(nameOf<Name>);
  }

  /** For one asker. */
  with(given: Record<Name, Value>): Filled {
    const values = this.#names.map((name) => given[name]);
    return { text: this.#text, values, asked: { shape: this, given } };
  }

  /** For many, no two of which are `isApart`. */
  withAll(given: Record<Name, Value>[]): Filled {
    this.#textForMany ??= this.#makeTextForMany();
    return { text: this.#textForMany, values: [JSON.stringify(given, wellFormed)] };
  }

  askedBy(given: Record<Name, Value>): Value {
    return given[this.#keys.key];
  }

  /** True if these two must not be merged into one statement. */
  isApart(given: Record<Name, Value>, other: Record<Name, Value>): boolean {
    return given[this.#keys.apart] === other[this.#keys.apart];
  }

  #makeTextForMany(): string {
    const types = this.#columns.map(([name, type]) => sql`${sql.identifier(name)} ${sql.raw(type)}`);
    const rows = sql`json_to_recordset(${sql.placeholder('all')}::json) as given(${sql.join(types, sql`, `)})`;
    return written(this.#statement(sql`(select * from ${rows})`, true)).sql;
  }
}

/** JSON encodes lone surrogates in a way that makes PostgreSQL reject the whole batch. */
function wellFormed(_: string, value: Value): Value {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

function written(statement: SQL) {
  return dialect.sqlToQuery(statement.inlineParams());
}

function nameOf<Name extends string>(param: unknown): Name {
  if (!is(param, Placeholder)) throw new TypeError('Only a placeholder may be without a value.');
  return param.name as Name;
}

export function filled(statement: SQL | Filled): Filled {
  if ('text' in statement) return statement;
  const { sql: text, params } = dialect.sqlToQuery(statement);
  return { text, values: params as Value[] };
}

/** With its values as literals. */
export function writtenOut(statement: SQL | Filled): string {
  if (!('text' in statement)) return written(statement).sql;
  const { text, values } = statement;
  return text.replaceAll(/\$(\d+)/g, (_, number: string) => literal(values[Number(number) - 1] ?? null));
}
