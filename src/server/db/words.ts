import { sql, type AnyColumn, type SQL } from 'drizzle-orm';

/** What somebody searches for, word by word: as many as the length of what they may write lets there be. */
export function wordsOf(search: string): string[] {
  return [...new Set(search.split(/\s+/).filter(Boolean))];
}

/** Every word stands somewhere in the text, in small or capital letters. Of no words that is true. */
export function holdsAll(text: SQL, words: readonly string[]): SQL {
  const conditions = words.map((word) => sql`${text} ilike ${likeOf(word)}`);
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`;
}

/** The word as it is, anywhere: what it holds of patterns means itself. */
function likeOf(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`;
}

/** In the order of names as people see them, "Team 9" before "Team 16": what a list is sorted by, and what its cursor is compared with. */
export function naturally(name: AnyColumn): SQL {
  return sql`${name} collate natural_order`;
}
