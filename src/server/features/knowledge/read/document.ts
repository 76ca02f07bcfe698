import type { ProductCard } from '../../../../contract/source.ts';

/** A reader's output for a document. */
export interface Document {
  /** The document's own title; null if it has none. */
  title: string | null;
  /** Markdown, with a form feed between the pages of a paged document. */
  text: string;
  /** Absolute addresses a page links to, in order, without duplicates or nofollow links. */
  links?: string[];
  /** A page's canonical address, if it is on the same host. */
  canonical?: string;
  /** What couldn't be read of it, worded for the person. */
  leftOut?: string;
  /** The page asks not to be indexed. */
  isHidden?: boolean;
  /** The item that a page sells; its picture still at the external address. */
  card?: ProductCard;
}

/** Shown to the person who provided the document, so worded to help. */
export class UnreadableError extends Error {}
