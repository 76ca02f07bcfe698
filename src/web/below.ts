/** Joins two texts, one below the other; nothing of either is lost. */
export function below(first: string, second: string): string {
  return [first, second].filter((text) => text.trim() !== '').join('\n');
}
