import { UPLOAD_RESUMABLE_THRESHOLD_BYTES } from '../../contract/limits.ts';
import { sendResumable } from './resumable.ts';
import { sendWhole } from './whole.ts';

/** How the product accepts files. */
export interface UploadPort {
  /** The purpose of the files: an unfinished upload is resumed only for the same one. */
  scope: string;
  /** Sent along with a resumable upload. */
  metadata: Readonly<Record<string, string>>;
  /** Sends a file in one request and returns its ID. */
  send: (file: File, signal: AbortSignal) => Promise<string>;
  /** Turns a complete upload into a file and returns its ID. */
  finish: (uploadId: string) => Promise<string>;
  token: () => Promise<string | undefined>;
}

/** What a transfer tells about itself. */
export interface TransferEvents {
  onProgress: (sent: number) => void;
  /** Whether the last attempt failed and is being repeated. */
  onRetrying: (isRetrying: boolean) => void;
}

/** One attempt to send a file to the server. */
export interface Transfer {
  /** The stored file's ID. Does not settle if it was stopped. */
  run: () => Promise<string>;
  /** Resolves once nothing is in progress any more. What has arrived stays, and `run` resumes from there. */
  stop: () => Promise<void>;
  /** The same, but what has arrived is removed. */
  abandon: () => Promise<void>;
}

/** Small files go in one request, larger ones in chunks. */
export function createTransfer(file: File, port: UploadPort, events: TransferEvents): Transfer {
  const create = file.size > UPLOAD_RESUMABLE_THRESHOLD_BYTES ? sendResumable : sendWhole;
  return create(file, port, events);
}
