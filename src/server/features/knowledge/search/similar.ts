/** How many leading letters of a misspelled word must be correct. */
export const RIGHT_LETTERS = 3;
const SHORTEST = 4;
/** From this length on two wrong letters are tolerated, below it one. */
const LONG = 8;

/** True for a term that may be a misspelled word: long enough, and letters only. */
export function mayBeMisspelt(term: string): boolean {
  return (
    term.length >= SHORTEST && /^\p{Script=Latin}+$|^\p{Script=Cyrillic}+$|^\p{Script=Greek}+$/u.test(term)
  );
}

export function forgivenLetters(term: string): number {
  return term.length >= LONG ? 2 : 1;
}

/** The known term `term` was most likely meant to be: the fewest edits away, and of those the most common. */
export function mostSimilar(term: string, known: { term: string; holding: number }[]): string | undefined {
  const near = known
    .map((candidate) => ({ ...candidate, distance: editDistance(term, candidate.term) }))
    .filter(({ distance }) => distance <= forgivenLetters(term));
  return near.toSorted((a, b) => a.distance - b.distance || b.holding - a.holding)[0]?.term;
}

/** How many insertions, deletions or substitutions turn one into the other (Levenshtein). */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const change = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(change, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
