import { AppError } from '../../../app-error.ts';
import { WorkerError } from '../worker/run.ts';
import { UnreadableError } from './document.ts';
import { kindOf, readDocument } from './read.ts';

/** The text of a file that isn't knowledge. Errors: `storage/file-type` with the reason for the person who provided it. */
export async function readText(mediaType: string, data: Buffer): Promise<string> {
  const kind = kindOf(mediaType);
  if (!kind) throw new AppError('storage/file-type');
  try {
    return (await readDocument({ kind, data })).text.replaceAll('\f', '\n\n');
  } catch (error) {
    if (error instanceof WorkerError || error instanceof UnreadableError)
      throw new AppError('storage/file-type', error.message);
    throw error;
  }
}
