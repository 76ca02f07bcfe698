import {
  expectationOf,
  NewTestCase,
  valueOfExpectation,
  type Expectation,
} from '../../../contract/test-set.ts';
import { TEST_CASES_MAX } from '../../../contract/limits.ts';
import { invalidField } from '../../app-error.ts';
import { CsvError, csvOf, readCsv, type CsvRow } from '../../csv.ts';
import type { StoredCase, WantedCase } from './store.ts';

/** Questions and their expectations as a table, and back. */

const texts = ['contains', 'not-contains', 'cites'] as const;
const columns = ['question', ...texts, 'refuses', 'max-seconds', 'max-credits', 'calls-tool'] as const;

export function csvOfCases(cases: Pick<StoredCase, 'question' | 'expectations'>[]): string {
  return csvOf([[...columns], ...cases.map(rowOf)]);
}

function rowOf({ question, expectations }: Pick<StoredCase, 'question' | 'expectations'>): string[] {
  const cell = (column: Expectation['kind']): string =>
    expectations
      .filter(({ kind }) => kind === column)
      .map((expectation) => (expectation.kind === 'refuses' ? 'yes' : valueOfExpectation(expectation)))
      .join('\n');
  return columns.map((column) => (column === 'question' ? question : cell(column)));
}

/** Errors: 400 with the line that can't be read. */
export function casesOfCsv(csv: string): WantedCase[] {
  const rows = readRows(csv);
  const unknown = Object.keys(rows[0]?.cells ?? {}).find((name) => !columns.some((known) => known === name));
  if (unknown !== undefined) throw refused(`There is no column “${unknown.slice(0, 80)}”.`);
  if (rows.length === 0) throw refused('It has no questions.');
  if (rows.length > TEST_CASES_MAX) throw refused(`It has more than ${TEST_CASES_MAX} questions.`);
  return rows.map(caseOf);
}

function readRows(csv: string): CsvRow[] {
  try {
    return readCsv(csv);
  } catch (error) {
    throw error instanceof CsvError ? refused(error.message) : error;
  }
}

function caseOf({ line, cells }: CsvRow): WantedCase {
  const expectations = expectationsOf(cells);
  const parsed = NewTestCase.safeParse({ question: cells['question'] ?? '', expectations });
  if (parsed.success) return parsed.data;
  const [{ path, message } = { path: [], message: '' }] = parsed.error.issues;
  const [field, place] = path;
  const kind = field === 'expectations' ? expectations[Number(place)]?.kind : undefined;
  const column = kind ?? String(field);
  throw refused(`Line ${line}, ${column}: ${(kind && formOf[kind]) ?? message}`);
}

/** For values that are not plain text: the schema's own messages are about values nobody has written. */
const formOf: Partial<Record<Expectation['kind'], string>> = {
  'max-seconds': 'Must be a number above 0 and at most 300.',
  'max-credits': 'Must be a whole number from 0 to 1000.',
  'calls-tool': 'Must be the name of an operation, followed by its arguments as a JSON object, if any.',
};

function expectationsOf(cells: Record<string, string>): Expectation[] {
  const linesOf = (column: string) =>
    (cells[column] ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  return columns.flatMap((column) => {
    if (column === 'question') return [];
    const lines = column === 'refuses' ? linesOf(column).filter(isYes) : linesOf(column);
    return lines.map((value) => expectationOf(column, value));
  });
}

function isYes(word: string): boolean {
  return ['yes', 'true', '1', 'x'].includes(word.toLowerCase());
}

function refused(message: string): Error {
  return invalidField('csv', message);
}
