import { is, Placeholder, sql, type SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { literal, type Value } from './literal.ts';

/** A statement as it is sent: its values stand in its text as `$1`, `$2`, … */
export interface Filled {
  text: string;
  values: Value[];
  /** Of which shape it is, and what was given: with others of that shape it can be asked as one statement. */
  asked?: { shape: AnyShape; given: Given };
  /** The same in two statements of one transaction, for a caller that is alone and can go on with what the first has read. */
  split?: { read: Filled; write: Filled } | undefined;
}

export type Given = Record<string, Value>;

/** In which order its values stand, and of which types of PostgreSQL they are. */
type Columns<Name extends string> = Record<Name, 'text' | 'int' | 'bigint' | 'boolean'>;

interface Keys<Name extends string> {
  /** Tells those who ask apart: each row of the statement names by it whose it is, as `"askedBy"`. */
  key: Name;
  /** What those who are asked for in one statement must not have in common. */
  apart: Name;
}

/** Any shape, for who does not care for the names of its values. */
export type AnyShape = Pick<Shape<string>, 'askedBy' | 'isApart' | 'withAll'>;

const dialect = new PgDialect();

/**
 * A large statement that is put together once: doing so takes as long as the database takes for it. `statement` is made of `asked`, a
 * source of rows with a column for each value, one row for each who asks: mostly one, or many in one statement, which takes
 * PostgreSQL a third of what as many statements take. It must not matter to one who the others are; where it does, as when there is not enough for all
 * of them, it gives a row with `"alone"` true for each whom it matters to, and has done nothing for them. With `isMany` false one asks, and
 * what only many need can be left out.
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

  /** For one who asks. */
  with(given: Record<Name, Value>): Filled {
    const values = this.#names.map((name) => given[name]);
    return { text: this.#text, values, asked: { shape: this, given } };
  }

  /** For many, of whom no two are `isApart`. */
  withAll(given: Record<Name, Value>[]): Filled {
    this.#textForMany ??= this.#makeTextForMany();
    return { text: this.#textForMany, values: [JSON.stringify(given, wellFormed)] };
  }

  askedBy(given: Record<Name, Value>): Value {
    return given[this.#keys.key];
  }

  /** True when these two must not be asked for in one statement. */
  isApart(given: Record<Name, Value>, other: Record<Name, Value>): boolean {
    return given[this.#keys.apart] === other[this.#keys.apart];
  }

  #makeTextForMany(): string {
    const types = this.#columns.map(([name, type]) => sql`${sql.identifier(name)} ${sql.raw(type)}`);
    const rows = sql`json_to_recordset(${sql.placeholder('all')}::json) as given(${sql.join(types, sql`, `)})`;
    return written(this.#statement(sql`(select * from ${rows})`, true)).sql;
  }
}

/** JSON says what is no text in a way that PostgreSQL refuses, for all of them. */
function wellFormed(_: string, value: Value): Value {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

function written(statement: SQL) {
  return dialect.sqlToQuery(statement.inlineParams());
}

function nameOf<Name extends string>(param: unknown): Name {
  if (!is(param, Placeholder)) throw new TypeError('Only a placeholder has no value yet.');
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
