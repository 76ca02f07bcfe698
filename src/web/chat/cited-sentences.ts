import type { Span } from '../ui/highlight-text.ts';

const CITATION = /(\[\d{1,3}\])/;
/** Shorter sentences, such as "Yes.", are found in too many places. */
const GRAMS_MIN = 8;
/** How much of a claim a sentence must have to be what it is based on: with less, any two would do. */
const CLAIM_MIN = 0.5;
/** How much of a sentence a longer claim must have to include it. */
const INCLUDED_MIN = 0.8;
/** What a gram weighs that the passage doesn't have; each other one weighs more the fewer of its sentences have it. */
const ELSEWHERE = 0.5;

/** The sentences of an answer that cite the passage with this number. */
export function claimsOn(number: number, answer: string): string[] {
  return answer.split('\n').flatMap((line) => {
    const parts = line.split(CITATION);
    let claim = '';
    return parts.flatMap((part, index) => {
      if (index % 2 === 0) {
        // Only a comma or a period between citations: they all follow the same words.
        if (/[\p{L}\p{N}]/u.test(part)) claim = part.trim();
        return [];
      }
      return part === `[${number}]` ? spansOf(claim).map(({ start, end }) => claim.slice(start, end)) : [];
    });
  });
}

/**
 * The sentences of a passage that say what the claims say, in their order: for each claim the one that shares most with
 * it, and those it includes. None if they share little, as when the answer is in another language.
 */
export function sentencesBehind(claims: readonly string[], passage: string): Span[] {
  const sentences = spansOf(passage).map((span) => ({
    span,
    grams: gramsOf(passage.slice(span.start, span.end)),
  }));
  const weightOf = (gram: string) => {
    const having = sentences.filter(({ grams }) => grams.has(gram)).length;
    return having === 0 ? ELSEWHERE : 1 / having;
  };
  const behind = new Set<Span>();
  for (const claim of claims.map(gramsOf)) {
    if (claim.size < GRAMS_MIN) continue;
    const weights = new Map([...claim].map((gram) => [gram, weightOf(gram)]));
    const whole = sumOf(weights.values());
    let best: { span: Span; share: number } | null = null;
    for (const { span, grams } of sentences) {
      const common = [...claim].filter((gram) => grams.has(gram));
      if (grams.size >= GRAMS_MIN && common.length / grams.size >= INCLUDED_MIN) behind.add(span);
      const share = sumOf(common.map((gram) => weights.get(gram) ?? 0)) / whole;
      if (share >= CLAIM_MIN && share > (best?.share ?? 0)) best = { span, share };
    }
    if (best) behind.add(best.span);
  }
  return sentences.flatMap(({ span }) => (behind.has(span) ? [span] : []));
}

const sumOf = (values: Iterable<number>) => [...values].reduce((sum, value) => sum + value, 0);

function spansOf(text: string): Span[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });
  return [...segmenter.segment(text)].map(({ index, segment }) => ({
    start: index,
    end: index + segment.trimEnd().length,
  }));
}

/** Three letters each, the border of a word counting as one: alike for all forms of a word, and in all scripts. */
function gramsOf(text: string): Set<string> {
  const grams = new Set<string>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) {
    const letters = ` ${word} `;
    for (let end = 3; end <= letters.length; end += 1) grams.add(letters.slice(end - 3, end));
  }
  return grams;
}
