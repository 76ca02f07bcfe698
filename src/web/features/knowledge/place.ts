import { isId } from '../../../contract/id-format.ts';

const views = ['sources', 'history', 'question'] as const;
export type View = (typeof views)[number];

/** A place in an item: one of its views, one of its sources, a passage of that. */
export interface Place {
  view?: View;
  source?: string;
  /** The offset from the start of the source's text, and the length, in characters. */
  at?: number;
  length?: number;
}

/** Parses the place from an address; invalid values are dropped. */
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
