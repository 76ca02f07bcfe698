/** A text's terms, each with its weight in what is being asked. */
export type Terms = Readonly<Record<string, number>>;

/** A text as a unit vector, by term. */
export type Weighed = Map<number, number>;

/** Marks a term that is part of a word, as in the analyzer. */
const PART_MARK = '~';
/** Parts match compounds and inflected forms; next to the words themselves they say little. */
const PART_WEIGHT = 0.4;
/** Among few texts every term is rare; rarity is judged as if there were at least this many. */
const LEAST_TEXTS = 50;

/** Texts in comparable form: rare terms count more, and a long text no more than a short one. */
export function weigh(texts: readonly Terms[]): Weighed[] {
  const holding = new Map<string, number>();
  for (const terms of texts)
    for (const term of Object.keys(terms)) holding.set(term, (holding.get(term) ?? 0) + 1);
  const many = Math.max(LEAST_TEXTS, texts.length);
  const numbers = new Map([...holding.keys()].map((term, number) => [term, number]));
  return texts.map((terms) =>
    unit(
      Object.entries(terms).map(([term, said]) => {
        const rareness = Math.log(1 + many / (holding.get(term) ?? 1));
        const weight = (term.startsWith(PART_MARK) ? PART_WEIGHT : 1) * rareness * Math.min(1, said);
        return [numbers.get(term) ?? -1, weight];
      }),
    ),
  );
}

function unit(weights: [term: number, weight: number][]): Weighed {
  const length = Math.hypot(...weights.map(([, weight]) => weight)) || 1;
  return new Map(weights.map(([term, weight]) => [term, weight / length]));
}

/** 0 to 1. */
export function likeness(one: Weighed, other: Weighed): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  let sum = 0;
  for (const [term, weight] of small) sum += weight * (large.get(term) ?? 0);
  return sum;
}
