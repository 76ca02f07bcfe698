/** A text with the search words highlighted. */
export function MarkedText({ text, query }: { text: string; query: string }) {
  return markWords(text, query).map(({ text: part, marked }, index) =>
    marked ? <mark key={index}>{part}</mark> : part,
  );
}

interface Part {
  text: string;
  marked: boolean;
}

/** Splits a text into matches of a search and the text between. The search is never treated as a pattern. */
export function markWords(text: string, query: string): Part[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const lower = text.toLowerCase();
  // Some letters get longer in lower case, and positions would no longer match.
  if (words.length === 0 || lower.length !== text.length) return [{ text, marked: false }];
  const parts: Part[] = [];
  let from = 0;
  for (;;) {
    const next = nextWord(lower, words, from);
    if (!next) break;
    if (next.at > from) parts.push({ text: text.slice(from, next.at), marked: false });
    from = next.at + next.word.length;
    parts.push({ text: text.slice(next.at, from), marked: true });
  }
  if (from < text.length) parts.push({ text: text.slice(from), marked: false });
  return parts;
}

function nextWord(lower: string, words: readonly string[], from: number) {
  let best: { word: string; at: number } | undefined;
  for (const word of words) {
    const at = lower.indexOf(word, from);
    if (at >= 0 && (!best || at < best.at || (at === best.at && word.length > best.word.length)))
      best = { word, at };
  }
  return best;
}
