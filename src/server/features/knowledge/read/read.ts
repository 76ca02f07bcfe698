import { READER_MEMORY_MIB, READER_TIMEOUT_MS } from '../../../../contract/limits.ts';
import { runInProcess } from '../worker/run.ts';
import type { Document } from './document.ts';

export type DocumentKind = 'pdf' | 'docx' | 'pptx' | 'xlsx' | 'epub' | 'html' | 'csv' | 'json' | 'plain';

export interface ReadRequest {
  kind: DocumentKind;
  data: Uint8Array;
  /** For text: as declared by the site. */
  charset?: string | undefined;
  /** The page's address, used to resolve its links. */
  url?: string;
  /** The site's directives for crawlers (X-Robots-Tag). */
  robotsTag?: string | undefined;
}

/**
 * Reads a document from an untrusted source in a process with limits: one made to break its reader breaks nothing else.
 * Errors: `WorkerError` with a reason for the person who provided the document.
 */
export function readDocument(request: ReadRequest, signal?: AbortSignal): Promise<Document> {
  return runInProcess<ReadRequest, Document>(new URL('reader.process.ts', import.meta.url), request, {
    timeoutMs: READER_TIMEOUT_MS,
    memoryMib: READER_MEMORY_MIB,
    signal,
    // Pages come in thousands, and their reader keeps nothing of what it has read.
    reuse: request.kind === 'html' || request.kind === 'plain',
  });
}

const kinds = new Map<string, DocumentKind>([
  ['application/pdf', 'pdf'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['application/epub+zip', 'epub'],
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['text/csv', 'csv'],
  ['text/tab-separated-values', 'csv'],
  ['application/json', 'json'],
  ['application/x-ndjson', 'json'],
  ['text/plain', 'plain'],
  ['text/markdown', 'plain'],
]);

/** Undefined for unsupported types. */
export function kindOf(mediaType: string): DocumentKind | undefined {
  const [type = ''] = mediaType.split(';');
  return kinds.get(type.trim().toLowerCase());
}
