import { UPLOAD_RESUMABLE_THRESHOLD_BYTES } from '../../contract/limits.ts';
import { sendResumable } from './resumable.ts';
import { sendWhole } from './whole.ts';

/** How the product takes files. */
export interface UploadPort {
  /** What the files are for: an unfinished one is gone on with only there. */
  scope: string;
  /** Sent along with a resumable upload. */
  metadata: Readonly<Record<string, string>>;
  /** Sends a file in one request and answers its id. */
  send: (file: File, signal: AbortSignal) => Promise<string>;
  /** Makes a file of a whole upload and answers its id. */
  finish: (uploadId: string) => Promise<string>;
  token: () => Promise<string | undefined>;
}

/** One attempt to bring a file to the server. */
export interface Transfer {
  /** The id of the stored file. Does not settle when it was stopped. */
  run: () => Promise<string>;
  /** Resolves when nothing is under way any more. What has arrived stays, and `run` goes on from there. */
  stop: () => Promise<void>;
  /** The same, and what has arrived is removed. */
  abandon: () => Promise<void>;
}

/** Small files go in one request, larger ones piece by piece. */
export function createTransfer(file: File, port: UploadPort, onProgress: (sent: number) => void): Transfer {
  const create = file.size > UPLOAD_RESUMABLE_THRESHOLD_BYTES ? sendResumable : sendWhole;
  return create(file, port, onProgress);
}
