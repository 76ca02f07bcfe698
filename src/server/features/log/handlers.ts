import type { log as contract } from '../../../contract/log.ts';
import type { Deps } from '../../deps.ts';
import type { Handlers } from '../../call.ts';

export function logHandlers({ log }: Deps): Handlers<typeof contract> {
  return {
    create: async ({ log: report }, caller) => {
      log.warn({ browser: report, userId: caller.kind === 'user' ? caller.userId : null }, 'browser report');
      return { logged: true };
    },
  };
}
