import { READER_MEMORY_MIB, READER_TIMEOUT_MS } from '../../../../contract/limits.ts';
import { runInProcess } from '../worker/run.ts';
import type { Document } from './document.ts';

export type DocumentKind = 'pdf' | 'docx' | 'pptx' | 'xlsx' | 'epub' | 'html' | 'csv' | 'json' | 'plain';

export interface ReadRequest {
  kind: DocumentKind;
  data: Uint8Array;
  /** As the site said it, for text. */
  charset?: string | undefined;
  /** Where a page is, so that its links are known. */
  url?: string;
  /** What the site says of the page to machines (X-Robots-Tag). */
  robotsTag?: string | undefined;
}

/**
 * Reads a document somebody else made, in a process with limits: one that is made to break its reader breaks nothing else.
 * Errors: `WorkerError` with a reason for the person who gave the document.
 */
export function readDocument(request: ReadRequest, signal?: AbortSignal): Promise<Document> {
  return runInProcess<ReadRequest, Document>(new URL('reader.process.ts', import.meta.url), request, {
    timeoutMs: READER_TIMEOUT_MS,
    memoryMib: READER_MEMORY_MIB,
    signal,
    // Pages come by the thousand, and their reader keeps nothing of what it has read.
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

/** Undefined for what cannot be read. */
export function kindOf(mediaType: string): DocumentKind | undefined {
  const [type = ''] = mediaType.split(';');
  return kinds.get(type.trim().toLowerCase());
}
