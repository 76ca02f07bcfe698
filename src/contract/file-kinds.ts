/** The files that can be read, by extension. */

/** The type of a text by its extension; nothing in its content distinguishes Markdown from plain text. */
export const textTypes: Record<string, string> = {
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.markdown': 'text/markdown',
  '.html': 'text/html',
  '.htm': 'text/html',
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  '.json': 'application/json',
  '.jsonl': 'application/x-ndjson',
  '.ndjson': 'application/x-ndjson',
};

const documents = ['.pdf', '.docx', '.pptx', '.xlsx', '.epub'];
const pictures = ['.png', '.jpg', '.jpeg', '.webp', '.gif'];

/** What can be attached to a message. */
export const attachableKinds: readonly string[] = [...pictures, ...documents, ...Object.keys(textTypes)];
