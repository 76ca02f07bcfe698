/** The files that are read here, by their extensions. */

/** What its extension makes of a text; nothing in its content tells Markdown from plain text. */
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

/** What may come along with a message. */
export const attachableKinds: readonly string[] = [...pictures, ...documents, ...Object.keys(textTypes)];
