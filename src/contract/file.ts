import * as z from 'zod';
import { idOf } from './id.ts';
import { FileReference } from './knowledge.ts';
import { route } from './route.ts';

export const file = {
  /** Stores one file for an organization. Its type is determined by its content, not its name. */
  upload: route({
    method: 'POST',
    path: '/v1/file',
    summary: 'Upload a file',
    carrier: 'multipart',
    input: z.strictObject({ organizationId: idOf('organization'), media: z.instanceof(Blob) }),
    output: z.object({ file: FileReference }),
  }),
  /**
   * Turns a tus upload at `/v1/file/upload` into a file once all its bytes have arrived; called again, it returns the
   * same file. A rejected upload is discarded.
   */
  finish: route({
    method: 'POST',
    path: '/v1/file/upload/{uploadId}/finish',
    summary: 'Finish a resumable upload',
    input: z.strictObject({ uploadId: idOf('upload') }),
    output: z.object({ file: FileReference }),
  }),
};
