import { READER_MEMORY_MIB, READER_TIMEOUT_MS } from '../../../../contract/limits.ts';
import { runInWorker } from '../worker/run.ts';
import type { Document } from './document.ts';

export type DocumentKind = 'pdf' | 'docx' | 'html' | 'plain';

export interface ReadRequest {
  kind: DocumentKind;
  data: Uint8Array;
  /** As the site said it, for text. */
  charset?: string | undefined;
}

/**
 * Reads a document somebody else made, in a thread with limits: one that is made to break its reader breaks nothing else.
 * Errors: `WorkerError` with a reason for the person who gave the document.
 */
export function readDocument(request: ReadRequest, signal?: AbortSignal): Promise<Document> {
  return runInWorker<ReadRequest, Document>(new URL('reader.worker.ts', import.meta.url), request, {
    timeoutMs: READER_TIMEOUT_MS,
    memoryMib: READER_MEMORY_MIB,
    signal,
  });
}

/** Undefined for what cannot be read. */
export function kindOf(mediaType: string): DocumentKind | undefined {
  const [type = ''] = mediaType.split(';');
  switch (type.trim().toLowerCase()) {
    case 'application/pdf':
      return 'pdf';
    case 'application/vnd.openxmlformats-officedocument.wordprocessingml.document':
      return 'docx';
    case 'text/html':
    case 'application/xhtml+xml':
      return 'html';
    case 'text/plain':
    case 'text/markdown':
    case 'text/csv':
    case 'application/json':
      return 'plain';
    default:
      return undefined;
  }
}
