import { TOPIC_NAME_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { wordsWithTerms } from '../knowledge/search.ts';
import type { Terms } from './likeness.ts';

interface Asked {
  conversationId: string;
  text: string;
  language: string;
}

const WORDS = 3;
/** The number of questions considered for a name, the most typical ones. */
const LOOKED_AT = 60;

/**
 * The words that distinguish these questions from all others, in their most common spelling. Only words from more than
 * one conversation: a single person's words never become a name. Empty if there are none.
 */
export function nameOfTopic(asked: readonly Asked[], all: readonly Terms[]): string {
  const used = new Map<string, { conversations: Set<string>; forms: Map<string, number> }>();
  for (const { conversationId, text, language } of asked.slice(0, LOOKED_AT))
    for (const { word, term } of wordsWithTerms(text, language)) {
      const known = used.get(term) ?? { conversations: new Set(), forms: new Map<string, number>() };
      known.conversations.add(conversationId);
      known.forms.set(word, (known.forms.get(word) ?? 0) + 1);
      used.set(term, known);
    }
  const shared = [...used].filter(
    ([term, { conversations }]) => conversations.size > 1 && !/^\p{N}+$/u.test(term),
  );
  const scored = shared.map(([term, { conversations, forms }]) => ({
    word: commonest(forms),
    score:
      conversations.size *
      Math.log(1 + all.length / Math.max(1, all.filter((terms) => term in terms).length)),
  }));
  const best = scored.toSorted((a, b) => b.score - a.score || (a.word < b.word ? -1 : 1));
  return best
    .slice(0, WORDS)
    .map(({ word }) => word)
    .join(', ')
    .slice(0, TOPIC_NAME_MAX_CHARACTERS);
}

function commonest(forms: Map<string, number>): string {
  const [[form] = ['']] = [...forms].toSorted(
    ([a, times], [b, others]) => others - times || (a < b ? -1 : 1),
  );
  return form;
}
