import { isId } from '../../../contract/id-format.ts';

const views = ['sources', 'history', 'question'] as const;
export type View = (typeof views)[number];

/** Where in an item one is: on one of its views, at one of its sources, at a passage of that. */
export interface Place {
  view?: View;
  source?: string;
  /** Characters from the start of the source's text, and how many. */
  at?: number;
  length?: number;
}

/** What an address says of the place; what makes no sense is left out. */
export function placeOf(search: Record<string, unknown>): Place {
  const { view, source, at, length } = search;
  const known = views.find((each) => each === view);
  const isSource = isId('source', source);
  const isPassage = isSource && isCount(at) && isCount(length);
  return {
    ...(known && { view: known }),
    ...(isSource && { source: String(source) }),
    ...(isPassage && { at: Number(at), length: Number(length) }),
  };
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
