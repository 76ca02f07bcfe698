/** What a reader makes of a document. */
export interface Document {
  /** The title that the document gives itself; null when it has none. */
  title: string | null;
  /** Markdown; a form feed stands between the pages of a paged document. */
  text: string;
}

/** Said to the person whose document it was, so in words that help. */
export class UnreadableError extends Error {}
