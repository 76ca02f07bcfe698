import type { Config } from '../src/server/config/config.ts';

/** Addresses of the channels' services: those given, and for all others one where nobody listens. */
export function channelUrls(given: Partial<Config['channelUrls']>): Config['channelUrls'] {
  const nobody = 'http://127.0.0.1:9';
  return { discord: nobody, slack: nobody, telegram: nobody, whatsapp: nobody, ...given };
}
