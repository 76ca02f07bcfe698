import * as z from 'zod';
import { text } from './common.ts';
import { LOG_MAX_BYTES, LOGS_PER_MINUTE_AND_ADDRESS } from './limits.ts';
import { route } from './route.ts';

export const log = {
  /** Writes a browser's error report to the server's log, as one line. */
  create: route({
    method: 'POST',
    path: '/v1/log',
    summary: 'Report a browser error',
    limit: { requests: LOGS_PER_MINUTE_AND_ADDRESS, seconds: 60 },
    access: 'public',
    input: z.strictObject({ log: text(LOG_MAX_BYTES, 1) }),
    output: z.object({ logged: z.literal(true) }),
  }),
};
