import type { ProductCard } from '../../../../contract/source.ts';

/** What a reader makes of a document. */
export interface Document {
  /** The title that the document gives itself; null when it has none. */
  title: string | null;
  /** Markdown; a form feed stands between the pages of a paged document. */
  text: string;
  /** Addresses that a page links to, absolute, in order, each once; none that it asks not to be followed. */
  links?: string[];
  /** The address that a page calls its own, when it is on the same host. */
  canonical?: string;
  /** What of it could not be read, in words for the person. */
  leftOut?: string;
  /** The page asks not to be found by machines. */
  isHidden?: boolean;
  /** The thing that a page sells; its picture still at the foreign address. */
  card?: ProductCard;
}

/** Said to the person whose document it was, so in words that help. */
export class UnreadableError extends Error {}
