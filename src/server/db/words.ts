import { sql, type AnyColumn, type SQL } from 'drizzle-orm';

/** The words of a search; their number is limited by the length of the input. */
export function wordsOf(search: string): string[] {
  return [...new Set(search.split(/\s+/).filter(Boolean))];
}

/** Every word occurs somewhere in the text, ignoring case. True if there are no words. */
export function holdsAll(text: SQL, words: readonly string[]): SQL {
  const conditions = words.map((word) => sql`${text} ilike ${likeOf(word)}`);
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`;
}

/** The literal word, anywhere: pattern characters in it stand for themselves. */
function likeOf(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Natural order for names, "Team 9" before "Team 16": used for both sorting a list and comparing its cursor. */
export function naturally(name: AnyColumn): SQL {
  return sql`${name} collate natural_order`;
}
