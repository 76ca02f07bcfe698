import * as z from 'zod';
import { idOf } from './id.ts';
import { FileReference } from './knowledge.ts';
import { route } from './route.ts';

export const file = {
  /** Stores one file for an organization. Its type is judged by its content, not by its name. */
  upload: route({
    method: 'POST',
    path: '/v1/file',
    summary: 'Upload a file',
    carrier: 'multipart',
    input: z.strictObject({ organizationId: idOf('organization'), media: z.instanceof(Blob) }),
    output: z.object({ file: FileReference }),
  }),
  /**
   * Makes a file of an upload by the tus protocol at `/v1/file/upload` once all its bytes are there; called again, it
   * answers the same file. One that is refused is gone.
   */
  finish: route({
    method: 'POST',
    path: '/v1/file/upload/{uploadId}/finish',
    summary: 'Finish a resumable upload',
    input: z.strictObject({ uploadId: idOf('upload') }),
    output: z.object({ file: FileReference }),
  }),
};
