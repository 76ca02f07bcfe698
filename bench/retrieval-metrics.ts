/** One query's relevant documents, with their grades. */
export type Judgements = ReadonlyMap<string, number>;

export interface Quality {
  ndcg10: number;
  recall10: number;
  recall100: number;
  mrr10: number;
}

/** The usual measures of a single ranking; nDCG with gains 2^grade - 1. */
export function judge(ranking: string[], judgements: Judgements): Quality {
  const relevant = [...judgements.values()].filter((grade) => grade > 0);
  const ideal = discounted(relevant.toSorted((a, b) => b - a).slice(0, 10));
  const grades = ranking.map((id) => judgements.get(id) ?? 0);
  const found = (depth: number) =>
    grades.slice(0, depth).filter((grade) => grade > 0).length / relevant.length;
  const first = grades.slice(0, 10).findIndex((grade) => grade > 0);
  return {
    ndcg10: discounted(grades.slice(0, 10)) / ideal,
    recall10: found(10),
    recall100: found(100),
    mrr10: first === -1 ? 0 : 1 / (first + 1),
  };
}

function discounted(grades: number[]): number {
  return grades.reduce((sum, grade, rank) => sum + (2 ** grade - 1) / Math.log2(rank + 2), 0);
}

export function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
